/* oxlint-disable typescript/unbound-method -- no method of these objects uses this */
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { publicEntries } from "../../../tools/packages.ts";
import manifest from "../package.json" with { type: "json" };
import { createSandbox, createSteerableClock, startSandbox, toNodeListener } from "../src/index.ts";
import { handlers } from "../src/msw.ts";
import { serve } from "../src/services.ts";

type AnyFunction = (...values: unknown[]) => unknown;
const js = (call: unknown): AnyFunction => call as AnyFunction;

const sandbox = createSandbox();
const { webhooks } = sandbox;
const url = "http://127.0.0.1:3000/hooks";
const endpoint = webhooks.register({ url });
const [device] = sandbox.console.state.devices.values();
const receive = () => () => new Response();

/** Each function with options, called with a misspelled option at each level. */
const everyFunction: Readonly<Record<string, readonly (readonly [AnyFunction, string])[]>> = {
  createSandbox: [
    [() => js(createSandbox)({ sed: 1 }), "seed"],
    [() => js(createSandbox)({ console: { record: "full" } }), "records"],
    [() => js(createSandbox)({ ledger: { hight: 1 } }), "height"],
    [() => js(createSandbox)({ mapper: { input: "spec" } }), "inputs"],
    [() => js(createSandbox)({ mobile: { budget: {} } }), "budgets"],
    [() => js(createSandbox)({ mobile: { budgets: { read: 1 } } }), "reads"],
    [() => js(createSandbox)({ faults: { rate: 1, kind: [] } }), "kinds"],
    [() => js(createSandbox)({ faults: { rate: 1, kinds: [{ kind: "delay", mss: 1 }] } }), "ms"],
    [() => js(createSandbox)({ faults: [{ kind: "status", status: 500, time: 2 }] }), "times"],
  ],
  startSandbox: [[() => js(startSandbox)({ ports: 4010 }), "port"]],
  "sandbox.setFaults": [[() => js(sandbox.setFaults)([{ kind: "lost", skips: 1 }]), "skip"]],
  "sandbox.console.sendUplink": [
    [() => js(sandbox.console.sendUplink)({ device_id: device?.id, decode: 1 }), "decoded"],
  ],
  "webhooks.register": [[() => js(webhooks.register)({ url, livmode: true }), "livemode"]],
  "webhooks.rotate": [[() => js(webhooks.rotate)(endpoint.id, { keepold: true }), "keepOld"]],
  "webhooks.emit": [[() => js(webhooks.emit)("sim.activated", {}, { livmode: 1 }), "livemode"]],
  "webhooks.trigger": [
    [() => js(webhooks.trigger)("sim.activated", {}, { unknwn: true }), "unknown"],
  ],
  "webhooks.disturb": [[() => js(webhooks.disturb)({ duplicate: 1 }), "duplicates"]],
  toNodeListener: [[() => js(toNodeListener)(receive(), { onErrors: () => {} }), "onError"]],
  createSteerableClock: [[() => js(createSteerableClock)({ pause: true }), "paused"]],
  handlers: [[() => js(handlers)(sandbox, { consol: url }), "console"]],
  serve: [[() => js(serve)({}, {}, { layer: [] }), "layers"]],
};

test.for(
  Object.entries(everyFunction).flatMap(([name, calls]) =>
    calls.map(([call, meant]) => ({ name, meant, call })),
  ),
)("$name rejects a misspelled $meant", async ({ call, meant }) => {
  await expect((async () => call())()).rejects.toThrow(
    expect.objectContaining({
      name: "TypeError",
      message: expect.stringMatching(
        new RegExp(`^\\S+ has no option "\\w+"\\. Did you mean "${meant}"\\?$`),
      ),
    }),
  );
});

test("an in-process sandbox has no option of a server", () => {
  for (const own of [{ port: 4010 }, { host: "0.0.0.0" }, { cors: false }])
    expect(() => js(createSandbox)(own)).toThrow(/has no option "(port|host|cors)"/);
});

/** These have no options. Those of `withLock` and the errors are in the folder `commands`. */
const WITHOUT = new Set([
  "createVirtualClock",
  "credentialHeader",
  "readSnapshot",
  "saveSnapshot",
  "stateFile",
  "withLock",
  "withSamples",
]);

test("every exported function is in the table, or has no options", async () => {
  const folder = dirname(import.meta.dirname);
  const entries = publicEntries(manifest as never).map(([, file]) => join(folder, file));
  const modules = await Promise.all(
    [...entries, join(folder, "src/services.ts")].map(
      async (file) => (await import(file)) as Readonly<Record<string, unknown>>,
    ),
  );
  const names = modules.flatMap((each) =>
    Object.entries(each).flatMap(([name, value]) =>
      typeof value === "function" && !(value.prototype instanceof Error) ? [name] : [],
    ),
  );
  expect(names.filter((name) => !(name in everyFunction) && !WITHOUT.has(name))).toEqual([]);
});
