import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { call, SUBSCRIBER, UPLINK } from "../testing/all-state.ts";
import { newDevice } from "../testing/console.ts";

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
async function run(sandbox: Sandbox, operations: readonly Operation[]): Promise<string[]> {
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
      await run(sandbox, before);
      const snapshot = sandbox.snapshot();
      const json = JSON.stringify(snapshot);
      const [fork, other] = [sandbox.fork(), sandbox.fork()];
      await run(other, elsewhere);
      expect(JSON.stringify(sandbox.snapshot())).toBe(json);
      const first = await run(sandbox, after);
      expect(JSON.stringify(fork.snapshot())).toBe(json);
      expect(await run(fork, after)).toEqual(first);
      expect(stateOf(fork)).toBe(stateOf(sandbox));
      sandbox.restore(snapshot);
      expect(await run(sandbox, after)).toEqual(first);
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
          await run(sandbox, [each]);
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
