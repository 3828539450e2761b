/* oxlint-disable typescript/unbound-method -- no method of these objects uses this */
import { expect, test } from "vitest";
import { proveJob, proveReceiver } from "./index.ts";
import { createWorld } from "./world.ts";

type AnyFunction = (...values: unknown[]) => unknown;
const js = (call: unknown): AnyFunction => call as AnyFunction;

const event = { id: "evt_1", type: "sim.activated", created_at: "", data: {} };
const world = createWorld({ calls: { cross: async () => {} }, remains: {} } as never);
const events = ["sim.activated"];
const receive = () => () => new Response();
const deliver = [[0, 0, 0]];
const rules = { any: () => undefined };

/** Each function with options, called with a misspelled option at each level. */
const everyFunction: Readonly<Record<string, readonly (readonly [AnyFunction, string])[]>> = {
  proveReceiver: [
    [() => js(proveReceiver)(receive, { events, run: 5 }), "runs"],
    [() => js(proveReceiver)(receive, { events, replay: { steps: [], skews: 1 } }), "skew"],
    [
      () => js(proveReceiver)(receive, { events, replay: { steps: [{ deliver, turn: [] }] } }),
      "turns",
    ],
    [
      () =>
        js(proveReceiver)(receive, {
          events,
          replay: { steps: [{ deliver, fault: { kind: "forged", at: 0, kinds: 1 } }] },
        }),
      "kind",
    ],
  ],
  proveJob: [
    [() => js(proveJob)(() => {}, { rules, run: 5 }), "runs"],
    [() => js(proveJob)(() => {}, { rules, replay: { faults: [], fault: [] } }), "faults"],
    [
      () => js(proveJob)(() => {}, { rules, replay: { faults: [{ at: 0, kind: "429", kin: 1 }] } }),
      "kind",
    ],
    [() => js(proveJob)(() => {}, { events: [{ type: "a.b", objet: {} }] }), "object"],
  ],
  "world.effect": [[() => js(world.effect)("mail", event, { keys: "1" }), "key"]],
};

test.for(
  Object.entries(everyFunction).flatMap(([name, calls]) =>
    calls.map(([call, meant]) => ({ name, meant, call })),
  ),
)("$name rejects a misspelled $meant", async ({ call, meant }) => {
  await expect((async () => call())()).rejects.toThrow(`Did you mean "${meant}"?`);
});
