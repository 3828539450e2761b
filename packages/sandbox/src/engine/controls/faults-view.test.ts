import { expect, test } from "vitest";
import type { FaultScript } from "../faults/fault-script.ts";
import { readFaults, viewFaults } from "./faults-view.ts";
import type { FaultsView } from "./wire.ts";

test.each<[string, FaultScript | undefined, FaultsView]>([
  ["no script", undefined, { kind: "none" }],
  ["a script without rules", [], { kind: "none" }],
  ["a function", () => undefined, { kind: "function" }],
  [
    "a rate",
    { rate: 0.5, kinds: [503], on: "labels.*" },
    { kind: "rate", rate: { rate: 0.5, kinds: [503], on: "labels.*" } },
  ],
  [
    "rules",
    [
      { kind: "reset" },
      { kind: "delay", ms: 5, times: 3, skip: 1 },
      { kind: "lost", times: Infinity },
    ],
    {
      kind: "rules",
      rules: [
        { kind: "reset" },
        { kind: "delay", ms: 5, times: 3, skip: 1 },
        { kind: "lost", times: "all" },
      ],
    },
  ],
])("a fault script is shown as JSON: %s", (_name, script, view) => {
  expect(viewFaults(script)).toStrictEqual(view);
});

test.each<[unknown, unknown]>([
  [null, undefined],
  [undefined, undefined],
  [[], []],
  [{ rate: 0.5 }, { rate: 0.5 }],
  ["reset", "reset"],
  [
    [{ kind: "lost", times: "all" }, { kind: "reset", times: 2 }, { kind: "garbage" }],
    [{ kind: "lost", times: Infinity }, { kind: "reset", times: 2 }, { kind: "garbage" }],
  ],
  // The check names them.
  [
    [null, "reset"],
    [null, "reset"],
  ],
])("a fault script is read from JSON: %j", (json, script) => {
  expect(readFaults(json)).toStrictEqual(script);
});
