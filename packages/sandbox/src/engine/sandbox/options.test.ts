import { describe, expect, test } from "vitest";
import { handlers } from "../../msw.ts";
import { serve } from "../serve/serve.ts";
import { currentOptions } from "../services/presets.ts";
import { createVirtualClock } from "../time/clocks.ts";
import { createSandbox } from "./sandbox.ts";

const ROWS = "organization.list";

describe("the error of an invalid option names it, and what to write instead", () => {
  test.each<[options: object, message: string]>([
    [{ seed: true }, "seed must be a number or a string; it is a boolean."],
    [{ ledger: { height: 1.5 } }, "ledger.height must be an integer from 0 up; it is 1.5."],
    [{ clock: {} }, "clock must be a clock, such as createVirtualClock()."],
    [{ clock: { now: Date.now } }, "clock must be a clock, such as createVirtualClock()."],
    [{ latency: -1 }, "latency must be a number of milliseconds, 0 or more."],
    [{ logSize: -1 }, "logSize must be an integer from 0 up; it is -1."],
    [{ logBytes: -1 }, "logBytes must be an integer from 0 up; it is -1."],
    [
      { console: 1 },
      "console requires an object of options, such as { deployment }, not a number.",
    ],
    [{ console: { data: "emtpy" } }, 'console.data must be "fleet" or "empty"; it is a string.'],
    [
      { console: { uplinkInterval: 0 } },
      "console.uplinkInterval must be more than 0 milliseconds.",
    ],
    [
      { mobile: { personalDataFor: ["sk", "admin"] } },
      'mobile.personalDataFor must be an array of roles of keys: "pk", "rk", "sk".',
    ],
    [
      { ledger: { rewardsPerWeek: -1 } },
      "ledger.rewardsPerWeek must be a number from 0 up, or Infinity.",
    ],
    [{ ledger: { emptyPages: 1.01 } }, "ledger.emptyPages must be a number from 0 to 1."],
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
      { console: { deployment: { records: "full" } } },
      'console.deployment must be "spec" or "hosted"; it is an object.',
    ],
    [
      { faults: 1 },
      "faults requires rules in an array, a rate such as { rate: 0.1 }, or a function, not a number.",
    ],
  ])("%j", (options, message) => {
    expect(() => createSandbox(options as never)).toThrow(new TypeError(message));
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

test("the current options are those that were passed, over what the deployment sets, as JSON", () => {
  const { console, ledger, mapper, mobile } = currentOptions({
    console: { deployment: "hosted", lookup: "list" },
    ledger: { blockInterval: Infinity, requestsPerMinute: Infinity },
    mapper: {},
  });
  expect(console).toEqual({
    deployment: "hosted",
    inputs: "observed",
    organization: "record",
    records: "full",
    lookup: "list",
    singleCreate: "disabled",
    flowCreated: "text",
    duplicates: "rejected",
    bothChanges: "rejected",
    textType: "none",
    requestsPerMinute: 600,
  });
  expect(ledger).toMatchObject({ times: "spec", blockInterval: null, requestsPerMinute: null });
  expect(mapper).toEqual({ responses: "text", inputs: "spec", requestsPerMinute: 60 });
  expect(mobile).toEqual({ inputs: "spec" });
});
