import { describe, expect, test } from "vitest";
import { handlers } from "../../msw.ts";
import { createSandbox } from "./sandbox.ts";
import { serve } from "../serve/serve.ts";
import { createVirtualClock } from "../time/virtual-clock.ts";

const ROWS = "organization.list";

describe("the error of an invalid option names it, and what to write instead", () => {
  test.each<[options: object, message: string]>([
    [{ seed: true }, "seed must be a number or a string; it is a boolean."],
    [{ seed: null }, "seed must be a number or a string; it is null."],
    [{ seed: Number.NaN }, "seed must be a number or a string; it is NaN."],
    [{ ledger: { height: 1.5 } }, "ledger.height must be an integer from 0 up; it is 1.5."],
    [{ ledger: { accounts: -1 } }, "ledger.accounts must be an integer from 0 up; it is -1."],
    [{ clock: {} }, "clock must be a clock, such as createVirtualClock()."],
    [{ clock: { now: Date.now } }, "clock must be a clock, such as createVirtualClock()."],
    [{ latency: -1 }, "latency must be a number of milliseconds, 0 or more."],
    [{ latency: "5" }, "latency must be a number of milliseconds, 0 or more."],
    [{ latency: Number.NaN }, "latency must be a number of milliseconds, 0 or more."],
    [{ logSize: -1 }, "logSize must be an integer from 0 up; it is -1."],
    [{ logSize: 0.5 }, "logSize must be an integer from 0 up; it is 0.5."],
    [{ logBytes: -1 }, "logBytes must be an integer from 0 up; it is -1."],
    [
      { console: 1 },
      "console requires an object of options, such as { deployment }, not a number.",
    ],
    [{ ledger: null }, "ledger requires an object of options, such as { deployment }, not null."],
    [{ mapper: [] }, "mapper requires an object of options, such as { deployment }, not an array."],
    [
      { mobile: "x" },
      "mobile requires an object of options, such as { deployment }, not a string.",
    ],
    [{ console: { data: "emtpy" } }, 'console.data must be "fleet" or "empty"; it is a string.'],
    [
      { console: { uplinkInterval: 0 } },
      "console.uplinkInterval must be more than 0 milliseconds.",
    ],
    [{ ledger: { blockInterval: 0 } }, "ledger.blockInterval must be more than 0 milliseconds."],
    [
      { mobile: { personalDataFor: ["sk", "admin"] } },
      'mobile.personalDataFor must be an array of roles of keys: "pk", "rk", "sk".',
    ],
    [
      { mobile: { eventOrder: "newest" } },
      'mobile.eventOrder must be "none", "oldest_first" or "newest_first"; it is a string.',
    ],
    [
      { ledger: { rewardsPerWeek: -1 } },
      "ledger.rewardsPerWeek must be a number from 0 up, or Infinity.",
    ],
    [{ ledger: { times: "other" } }, 'ledger.times must be "spec" or "observed"; it is a string.'],
    [{ ledger: { emptyPages: 1.01 } }, "ledger.emptyPages must be a number from 0 to 1."],
    [{ ledger: { emptyPages: "1" } }, "ledger.emptyPages must be a number from 0 to 1."],
    [{ ledger: { loops: ["a", 1] } }, "ledger.loops must be an array of strings."],
    [
      { ledger: { filtersInCursor: 1 } },
      "ledger.filtersInCursor must be true or false; it is a number.",
    ],
    [{ ledger: { mostRich: 0 } }, "ledger.mostRich must be an integer from 1 up; it is 0."],
    [
      { mobile: { budgets: 5 } },
      "mobile.budgets requires an object of options, such as { reads: 600 }, not a number.",
    ],
    [
      { mobile: { budgets: { writes: -1 } } },
      "mobile.budgets.writes must be a number from 0 up, or Infinity.",
    ],
    [
      { console: { deployment: "other" } },
      'console.deployment must be "spec" or "hosted"; it is a string.',
    ],
    [
      { console: { deployment: { records: "full" } } },
      'console.deployment must be "spec" or "hosted"; it is an object.',
    ],
    ...["ledger", "mapper", "mobile"].map((service): [object, string] => [
      { [service]: { deployment: "other" } },
      `${service}.deployment must be "spec" or "hosted"; it is a string.`,
    ]),
    [
      { console: { inputs: "other" } },
      'console.inputs must be "spec" or "observed"; it is a string.',
    ],
    [
      { faults: 1 },
      "faults requires rules in an array, a rate such as { rate: 0.1 }, or a function, not a number.",
    ],
  ])("%j", (options, message) => {
    expect(() => createSandbox(options as never)).toThrow(new TypeError(message));
  });

  test("an option at the edge of what it accepts is no error", () => {
    const edges = {
      seed: "",
      latency: 0,
      logSize: Infinity,
      logBytes: 0,
      console: { uplinkInterval: Infinity, requestsPerMinute: 0 },
      ledger: { height: 0, accounts: 0, hotspots: 0, emptyPages: 1, rewardsPerWeek: 0, loops: [] },
      mobile: { pageSize: 1, budgets: { reads: 0 }, personalDataFor: [] },
    };
    expect(() => createSandbox(edges)).not.toThrow();
    expect(() => createSandbox({ ledger: { emptyPages: 0 } })).not.toThrow();
  });

  const place =
    "faults[0].on must be a row of the mapper service, such as mapper.ingest, or all of a resource, such as mapper.*";
  test.each<[faults: unknown, message: string | RegExp]>([
    [[1], 'faults[0] must be a rule such as { kind: "reset" }.'],
    [
      [{ kind: "restet" }],
      'faults[0].kind must be status, stale, reset, lost, truncate, garbage, delay. Did you mean "reset"?',
    ],
    [
      [{ kind: "reset" }, { kind: 503 }],
      "faults[1].kind must be status, stale, reset, lost, truncate, garbage, delay; it is a number.",
    ],
    [
      [{ kind: "zzzzzzzz" }],
      "faults[0].kind must be status, stale, reset, lost, truncate, garbage, delay.",
    ],
    [
      [{ kind: "reset", service: "consol" }],
      'faults[0].service must be one of console, ledger, mapper, mobile. Did you mean "console"?',
    ],
    [
      [{ kind: "reset", service: 7 }],
      "faults[0].service must be one of console, ledger, mapper, mobile; it is a number.",
    ],
    [
      [{ kind: "reset", on: "labels.gett" }],
      /^faults\[0\]\.on must be a row, such as \w+\.\w+, or all of a resource, such as \w+\.\*\. Did you mean "labels\.get"\?$/,
    ],
    [[{ kind: "reset", on: 7, service: "mapper" }], `${place}; it is a number.`],
    [[{ kind: "reset", on: "labels.get", service: "mapper" }], `${place}.`],
    [[{ kind: "stale" }], 'faults[0]: stale is for one row: add on: "devices.list".'],
    [[{ kind: "reset", times: -1 }], "faults[0].times must be a number from 0 up, or Infinity."],
    [
      [{ kind: "reset", skip: Number.NaN }],
      "faults[0].skip must be a number from 0 up, or Infinity.",
    ],
    [[{ kind: "reset", skip: "1" }], "faults[0].skip must be a number from 0 up, or Infinity."],
    [
      [{ kind: "status", status: 199 }],
      "faults[0].status must be an integer from 200 to 599; it is 199.",
    ],
    [
      [{ kind: "status", status: 600 }],
      "faults[0].status must be an integer from 200 to 599; it is 600.",
    ],
    [[{ kind: "delay", ms: -1 }], "faults[0].ms must be a number of milliseconds, 0 or more."],
    [[{ kind: "delay", ms: "1" }], "faults[0].ms must be a number of milliseconds, 0 or more."],
    [{ rate: 1.1 }, "faults.rate must be a number from 0 to 1."],
    [{ rate: "1" }, "faults.rate must be a number from 0 to 1."],
    [{ rate: 1, kinds: "lost" }, "faults.kinds must be an array; it is a string."],
    [{ rate: 1, kinds: [] }, "faults.kinds must not be empty."],
    [
      { rate: 1, kinds: ["lost", 600] },
      "faults.kinds[1].status must be an integer from 200 to 599; it is 600.",
    ],
  ])("faults: %j", (faults, message) => {
    expect(() => createSandbox({ faults: faults as never })).toThrow(
      typeof message === "string" ? new TypeError(message) : message,
    );
  });

  test.each<[what: string, call: () => unknown, error: Error]>([
    [
      "serve with an unknown row",
      () => serve({ labels: { list: {} } } as never),
      new TypeError('labels.list is not a row: create it with endpoint("GET /…", { … }).'),
    ],
    [
      "handlers with an address in place of options",
      () => handlers(createSandbox(), "https://a.test" as never),
      new TypeError(
        'handlers requires an object of options, such as { console: "https://…" }, not a string.',
      ),
    ],
    [
      "handlers without a sandbox",
      () => handlers({} as never),
      new TypeError("handlers requires a sandbox, such as createSandbox()."),
    ],
    [
      "handlers with a relative address",
      () => handlers(createSandbox(), { ledger: "/ledger" }),
      new TypeError('handlers: the base URL of ledger must be absolute, such as "https://…".'),
    ],
    [
      "handlers with a number",
      () => handlers(createSandbox(), { ledger: 7 as never }),
      new TypeError('handlers: the base URL of ledger must be absolute, such as "https://…".'),
    ],
    [
      "a clock with an invalid start",
      () => createVirtualClock("soon"),
      new RangeError(
        'createVirtualClock: start must be a Date, milliseconds since 1970, or a string such as "2026-11-20T08:30:00Z"',
      ),
    ],
  ])("%s", (_what, call, error) => {
    expect(call).toThrow(error);
  });

  test.each([-1, Infinity, Number.NaN])("a clock that is advanced by %d", async (ms) => {
    await expect(createVirtualClock(0).advance(ms)).rejects.toThrow(
      new RangeError("advance: ms must be 0 or more, and finite"),
    );
  });
});

test.each<[options: object]>([
  [{ latency: 0, logSize: 0 }],
  [{ logSize: Infinity, logBytes: Infinity }],
  [{ seed: "" }],
  [{ clock: { now: Date.now, sleep: async () => {} } }],
  [{ faults: [{ kind: "delay", ms: 0, times: 0, skip: 0 }] }],
  [{ faults: [{ kind: "status", status: 200 }] }],
  [{ faults: [{ kind: "status", status: 599, on: "*" }] }],
  [{ faults: [{ kind: "stale", on: "devices.list" }] }],
  [{ faults: [{ kind: "reset", on: ROWS, service: "console", times: Infinity }] }],
  [{ faults: { rate: 0, seed: "x", on: "labels.*" } }],
  [{ faults: { rate: 1, kinds: ["stale", { kind: "delay", ms: 0 }] } }],
])("the minimum and the maximum of an option are accepted: %j", (options) => {
  expect(() => createSandbox(options)).not.toThrow();
});
