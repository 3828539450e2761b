import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { call, sandboxWithAllState, SUBSCRIBER, UPLINK } from "../testing/all-state.ts";
import { newDevice } from "../testing/console.ts";
import * as fc from "fast-check";

test("steps back to before any request, and the same requests return the same bytes", async () => {
  const { sandbox, ids } = await sandboxWithAllState();
  // The helper has changed the state directly.
  sandbox.restore(sandbox.snapshot());
  const states: [number, unknown][] = [];
  const steps: (() => Promise<unknown>)[] = [
    () => call(sandbox, "console POST /api/v1/labels", { name: "A" }),
    () => call(sandbox, "mobile POST /v1/subscribers", SUBSCRIBER),
    () => call(sandbox, `console DELETE /api/v1/devices/${ids["device"]}`),
    () => call(sandbox, "mapper POST /api/v1/ingest/uplink", UPLINK),
    () => call(sandbox, "console POST /api/v1/devices", newDevice(9)),
    () => call(sandbox, "console GET /api/v1/devices"),
    () => call(sandbox, "ledger GET /v1/accounts"),
  ];
  const run = async () => {
    const seen = [];
    for (const [index, step] of steps.entries()) {
      states.push([(sandbox.log.requests().at(-1)?.number ?? 0) + 1, sandbox.snapshot()]);
      seen.push(await step());
      await sandbox.webhooks.advance(60_000 * index);
      if (index === 1) sandbox.webhooks.disturb({ delay: 5 });
      if (index === 2) sandbox.setFaults({ rate: 0.5, kinds: [503] });
      if (index === 3) await sandbox.webhooks.trigger("plan.created");
      if (index === 4) sandbox.webhooks.rotate(sandbox.webhooks.endpoints[0]!.id);
    }
    return seen;
  };
  const first = await run();
  for (const [number, state] of states.toReversed()) {
    await sandbox.stepBack(number);
    expect(sandbox.snapshot()).toEqual(state);
    expect(sandbox.log.requests().every((each) => each.number < number)).toBe(true);
  }
  expect(await run()).toEqual(first);
});

test("does not repeat deliveries, and repeats uplinks with their outcome", async () => {
  const { sandbox, receiver, ids } = await sandboxWithAllState();
  sandbox.restore(sandbox.snapshot());
  receiver.status = 200;
  await sandbox.webhooks.trigger("plan.created");
  await sandbox.webhooks.advance(1_000_000);
  await call(sandbox, `console PUT /api/v1/devices/${ids["device"]}`, { active: true });
  await sandbox.console.sendUplink({ device_id: ids["device"]!, decoded: { level: 4 } });
  const state = sandbox.snapshot();
  await call(sandbox, "console POST /api/v1/labels", { name: "A" });
  receiver.bodies.length = 0;
  await sandbox.stepBack(sandbox.log.requests().at(-1)!);
  expect(sandbox.snapshot()).toEqual(state);
  expect(receiver.bodies).toEqual([]);
});

test("continues a delivery that was pending at that time", async () => {
  const { sandbox, receiver } = await sandboxWithAllState();
  sandbox.restore(sandbox.snapshot());
  await call(sandbox, "console GET /api/v1/labels");
  receiver.status = 200;
  await sandbox.webhooks.advance(1_000_000);
  receiver.bodies.length = 0;
  await sandbox.stepBack(sandbox.log.requests().at(-1)!);
  expect(sandbox.webhooks.deliveries().some(({ status }) => status === "pending")).toBe(true);
  await sandbox.webhooks.advance(1_000_000);
  expect(receiver.bodies.length).toBeGreaterThan(0);
});

test("repeats simultaneous requests in the same order", async () => {
  const sandbox = createSandbox({ faults: [{ on: "labels.create", kind: "delay", ms: 5 }] });
  const post = () =>
    call(sandbox, "mobile POST /v1/subscribers", SUBSCRIBER, { "idempotency-key": "k" });
  const all = await Promise.all([
    call(sandbox, "console POST /api/v1/labels", { name: "Late" }),
    post(),
    post(),
    call(sandbox, "console POST /api/v1/labels", { name: "Early" }),
  ]);
  expect(all.map(({ status }) => status)).toEqual([201, 201, 409, 201]);
  const state = sandbox.snapshot();
  await call(sandbox, "console GET /api/v1/labels");
  await sandbox.stepBack(sandbox.log.requests().at(-1)!);
  expect(sandbox.snapshot()).toEqual(state);
});

test("steps back only as far as the log reaches, in a sandbox that has received many more requests", async () => {
  const sandbox = createSandbox({ logSize: 20, console: { data: "empty" } });
  for (let n = 1; n <= 95; n++)
    await call(sandbox, "console POST /api/v1/labels", { name: `Label ${n}` });
  await expect(sandbox.stepBack(1)).rejects.toThrow(RangeError);
  for (const number of [95, 90, 76]) {
    await sandbox.stepBack(number);
    expect(sandbox.console.state.labels.size).toBe(number - 1);
  }
  await expect(sandbox.stepBack(90)).rejects.toThrow("Request 90 is not");
});

test("requests that arrive during a step back wait, and reads of the state at other times have no effect", async () => {
  const sandbox = createSandbox();
  sandbox.console.state.organization.dc_balance = 60;
  sandbox.restore(sandbox.snapshot());
  for (let n = 0; n < 5; n++) {
    await sandbox.clock.advance(600_000);
    expect(sandbox.console.state.devices.size).toBeGreaterThan(0);
  }
  const state = sandbox.snapshot();
  await call(sandbox, "console GET /api/v1/devices");
  const back = sandbox.stepBack(sandbox.log.requests().at(-1)!);
  const meanwhile = call(sandbox, "console POST /api/v1/labels", { name: "Meanwhile" });
  await back;
  expect({ ...sandbox.snapshot(), services: undefined }).toEqual({ ...state, services: undefined });
  expect((await meanwhile).status).toBe(201);
});

test("rejects an entry of another log, and one from before a reset", async () => {
  const [one, other] = [createSandbox(), createSandbox()];
  await call(one, "console GET /api/v1/labels");
  await call(other, "console GET /api/v1/labels");
  const [entry] = one.log.requests();
  await expect(other.stepBack(entry!)).rejects.toThrow("not in the log of this sandbox");
  one.reset();
  await expect(one.stepBack(1)).rejects.toThrow(RangeError);
  const without = createSandbox({ logSize: 0 });
  await call(without, "console GET /api/v1/labels");
  await expect(without.stepBack(1)).rejects.toThrow(RangeError);
});

/** Operations on a sandbox. A number selects their target. */
const OPERATIONS: Readonly<Record<string, (sandbox: Sandbox, n: number) => Promise<unknown>>> = {
  createLabel: (sandbox, n) => call(sandbox, "console POST /api/v1/labels", { name: `Label ${n}` }),
  createDevice: (sandbox, n) => call(sandbox, "console POST /api/v1/devices", newDevice(n)),
  deleteDevice: (sandbox, n) => call(sandbox, `console DELETE /api/v1/devices/${idOf(sandbox, n)}`),
  setActive: (sandbox, n) =>
    call(sandbox, `console PUT /api/v1/devices/${idOf(sandbox, n)}`, { active: n % 2 === 0 }),
  listDevices: (sandbox) => call(sandbox, "console GET /api/v1/devices"),
  listAccounts: (sandbox) => call(sandbox, "ledger GET /v1/accounts"),
  ingest: (sandbox) => call(sandbox, "mapper POST /api/v1/ingest/uplink", UPLINK),
  subscribe: (sandbox, n) =>
    call(sandbox, "mobile POST /v1/subscribers", SUBSCRIBER, { "idempotency-key": `key ${n}` }),
  listEvents: (sandbox) => call(sandbox, "mobile GET /events"),
  trigger: (sandbox) => sandbox.webhooks.trigger("plan.created"),
  register: async (sandbox, n) =>
    void sandbox.webhooks.register({
      url: "http://127.0.0.1:3000/",
      fetch: async () => new Response(null, { status: n % 2 === 0 ? 200 : 500 }),
    }),
  disturb: async (sandbox, n) => sandbox.webhooks.disturb({ duplicates: n % 3, disorder: n }),
  sendUplink: async (sandbox, n) =>
    sandbox.console.state.devices.size > 0 &&
    sandbox.console.sendUplink({ device_id: idOf(sandbox, n) }),
  setFaults: async (sandbox, n) =>
    sandbox.setFaults(n % 2 === 0 ? undefined : { rate: 0.5, kinds: [503] }),
  advance: (sandbox, n) => sandbox.webhooks.advance(n * 60_000),
};

function idOf(sandbox: Sandbox, n: number): string {
  const ids = Array.from(sandbox.console.state.devices.values(), ({ id }) => id);
  return ids[n % ids.length] ?? "none";
}

const operation = fc.record({
  name: fc.constantFrom(...Object.keys(OPERATIONS)),
  n: fc.nat({ max: 20 }),
});
type Operation = { readonly name: string; readonly n: number };

/** Runs operations. Returns the outcome of each, with every byte of a response. */
async function runAll(sandbox: Sandbox, operations: readonly Operation[]): Promise<string[]> {
  const seen: string[] = [];
  for (const { name, n } of operations) {
    const outcome = await OPERATIONS[name]?.(sandbox, n);
    seen.push(JSON.stringify(outcome) ?? "");
  }
  return seen;
}

/** Returns the whole state of a sandbox, except durations of attempts, which are real time. */
function stateOf(sandbox: Sandbox): string {
  return JSON.stringify(sandbox.snapshot(), (name, value: unknown) =>
    name === "duration" ? 0 : value,
  );
}

const some = fc.array(operation, { maxLength: 12 });

test("a sandbox, its forks and a restored one behave identically, and do not change each other", async () => {
  await fc.assert(
    fc.asyncProperty(some, some, some, async (before, after, elsewhere) => {
      const sandbox = createSandbox();
      await runAll(sandbox, before);
      const snapshot = sandbox.snapshot();
      const json = JSON.stringify(snapshot);
      const [fork, other] = [sandbox.fork(), sandbox.fork()];
      await runAll(other, elsewhere);
      expect(JSON.stringify(sandbox.snapshot())).toBe(json);
      const first = await runAll(sandbox, after);
      expect(JSON.stringify(fork.snapshot())).toBe(json);
      expect(await runAll(fork, after)).toEqual(first);
      expect(stateOf(fork)).toBe(stateOf(sandbox));
      sandbox.restore(snapshot);
      expect(await runAll(sandbox, after)).toEqual(first);
      expect(stateOf(sandbox)).toBe(stateOf(fork));
    }),
    { numRuns: 25 },
  );
});

test("a step back to any request restores the state before it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 1, maxLength: 25 }),
      fc.nat(),
      async (operations, pick) => {
        // The log is small, so that a step back crosses copies of the state.
        const sandbox = createSandbox({ logSize: 4 });
        const states: [number, string][] = [];
        for (const each of operations) {
          const { log } = sandbox;
          // An operation may read the devices before it sends its request, which receives due uplinks.
          void sandbox.console.state;
          const next = (log.requests().at(-1)?.number ?? 0) + 1;
          states.push([next, stateOf(sandbox)]);
          await runAll(sandbox, [each]);
          // An operation without a request has changed the state before the next request.
          if ((log.requests().at(-1)?.number ?? 0) < next) states.pop();
        }
        const known = states.slice(-4);
        if (known.length === 0) return;
        const [number, state] = known[pick % known.length] as [number, string];
        await sandbox.stepBack(number);
        expect(stateOf(sandbox) === state).toBe(true);
      },
    ),
    { numRuns: 40 },
  );
});
