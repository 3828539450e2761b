import { describe, expect, test } from "vitest";
import type { Fault } from "../serve/fault.ts";
import { createVirtualClock } from "../time/clocks.ts";
import { services } from "../../services.ts";
import { compileFaults, type FaultScript } from "./fault-script.ts";

const call = (row: string | undefined, service = "console") => ({ service, row, method: "GET" });

const PLAYING = { seed: 1, clock: createVirtualClock(0) };

/** Returns the kind of fault of each call. */
function kinds(
  script: FaultScript | undefined,
  rows: readonly (string | undefined)[],
): (string | number)[] {
  const { choose } = compileFaults(script, PLAYING);
  return rows.map((row) => name(choose(call(row))));
}

function name(fault: Fault | undefined): string | number {
  return fault === undefined ? "-" : fault.kind === "status" ? fault.status : fault.kind;
}

describe("rules", () => {
  test("apply to one request of their row, and to no later one", () => {
    const script = [{ on: "labels.get", kind: "reset" }] as const;
    expect(kinds(script, ["labels.list", "labels.get", "labels.get"])).toEqual(["-", "reset", "-"]);
  });

  test("skip `skip` requests, and apply to the next `times`", () => {
    const script = [{ on: "labels.get", kind: "lost", skip: 1, times: 2 }] as const;
    expect(kinds(script, Array(5).fill("labels.get"))).toEqual(["-", "lost", "lost", "-", "-"]);
    expect(kinds([{ kind: "lost", times: Number.POSITIVE_INFINITY }], ["a.b", "c.d"])).toEqual([
      "lost",
      "lost",
    ]);
  });

  test("apply to a whole resource with a star, and to every request without `on`", () => {
    const labels = [{ on: "labels.*", kind: "lost", times: 9 }] as const;
    expect(kinds(labels, ["labels.get", "labelsX.get", undefined, "labels.list"])).toEqual([
      "lost",
      "-",
      "-",
      "lost",
    ]);
    expect(kinds([{ kind: "lost", times: 9 }], ["labels.get", undefined])).toEqual([
      "lost",
      "lost",
    ]);
    expect(kinds([{ on: "*", kind: "lost", times: 9 }], ["labels.get", undefined])).toEqual([
      "lost",
      "lost",
    ]);
  });

  test("are checked in order, and the first that matches applies", () => {
    const script = [
      { on: "labels.get", kind: "reset" },
      { kind: "status", status: 503, times: 2 },
    ] as const;
    expect(kinds(script, ["labels.get", "labels.get", "labels.get", "labels.get"])).toEqual([
      "reset",
      503,
      503,
      "-",
    ]);
  });

  test("may apply to one service", () => {
    const { choose } = compileFaults([{ service: "ledger", kind: "reset" }], PLAYING);
    expect(choose(call("blocks.list"))).toBeUndefined();
    expect(choose(call("blocks.list", "ledger"))).toMatchObject({ kind: "reset" });
  });
});

describe("a rate", () => {
  const many = Array<string>(2_000).fill("labels.get");
  const struck = (script: FaultScript) => kinds(script, many).filter((each) => each !== "-");

  test("applies to its share of the requests, with each of its kinds about equally often", () => {
    const faults = struck({ rate: 0.2, kinds: ["reset", 503] });
    expect(faults.length).toBeGreaterThan(340);
    expect(faults.length).toBeLessThan(460);
    const resets = faults.filter((each) => each === "reset").length;
    expect(resets / faults.length).toBeGreaterThan(0.4);
    expect(resets / faults.length).toBeLessThan(0.6);
  });

  test("returns the same faults for the same seed, and others for another seed", () => {
    const script = { rate: 0.2, seed: "a" };
    expect(kinds(script, many)).toEqual(kinds(script, many));
    expect(kinds(script, many)).not.toEqual(kinds({ rate: 0.2, seed: "b" }, many));
    expect(kinds({ rate: 0.2 }, many)).toEqual(kinds({ rate: 0.2, seed: 1 }, many));
  });

  test("of 0 applies to no request, and of 1 to every request", () => {
    expect(struck({ rate: 0 })).toEqual([]);
    expect(struck({ rate: 1 })).toHaveLength(many.length);
  });

  test("has six kinds by default, and applies to every row unless `on` is set", () => {
    expect(new Set(struck({ rate: 1 }))).toEqual(
      new Set(["reset", "lost", "truncate", "delay", 503, 429]),
    );
    expect(
      kinds({ rate: 1, on: "devices.*", kinds: ["lost"] }, ["labels.get", "devices.get"]),
    ).toEqual(["-", "lost"]);
  });
});

test("a function returns a fault by its arguments", () => {
  const script = ({ row }: { row: string | undefined }): Fault | undefined =>
    row === "labels.get" ? { kind: "garbage" } : undefined;
  expect(kinds(script, ["labels.get", "labels.list"])).toEqual(["garbage", "-"]);
});

test("without a script there are no faults", () => {
  expect(kinds(undefined, ["labels.get"])).toEqual(["-"]);
});

describe("a script with a name that does not exist", () => {
  test.each([
    [
      [{ kind: "reset", on: "labels.gett" }],
      "faults[0].on must be a row, such as",
      '"labels.get"?',
    ],
    [[{ kind: "reset", on: "lables.*" }], "faults[0].on must be a row", '"labels.*"?'],
    [[{ kind: "reset", service: "consol" }], "faults[0].service must be", '"console"?'],
    [
      [{ kind: "reset", service: "mapper", on: "labels.get" }],
      "faults[0].on must be a row of the mapper service, such as mapper.ingest",
      "",
    ],
    [[{ kind: "restet" }], "faults[0].kind must be status", '"reset"?'],
    [[{ kind: "reset", time: 2 }], 'faults[0] has no option "time"', '"times"?'],
    [[{ kind: "truncate", byte: 2 }], 'faults[0] has no option "byte"', '"bytes"?'],
    [[{ kind: "lost", ms: 2 }], 'faults[0] has no option "ms"', ""],
    [[{ kind: "status" }], "faults[0].status must be an integer", ""],
    [[{ kind: "delay" }], "faults[0].ms must be a number", ""],
    [[{ kind: "lost", times: "2" }], "faults[0].times must be a number", ""],
    [{ rate: 0.1, on: "label.*" }, "faults.on must be a row", '"labels.*"?'],
    [{ rate: 0.1, kind: ["lost"] }, 'faults has no option "kind"', '"kinds"?'],
    [{ rate: 0.1, kinds: ["losst"] }, "faults.kinds[0].kind must be", '"lost"?'],
    [{ kind: "reset" }, 'faults has no option "kind"', ""],
    ["reset", "faults requires rules in an array", ""],
  ])("%j is rejected", (script, message, suggestion) => {
    expect(() => compileFaults(script as never, PLAYING)).toThrow(message);
    expect(() => compileFaults(script as never, PLAYING)).toThrow(suggestion);
  });

  test("every row and every resource of the services is accepted", () => {
    for (const { tables, name: service } of services)
      for (const [resource, table] of Object.entries(tables))
        for (const on of [
          `${resource}.*`,
          ...Object.keys(table).map((row) => `${resource}.${row}`),
        ])
          expect(() => compileFaults([{ kind: "lost", on, service }], PLAYING)).not.toThrow();
  });
});
