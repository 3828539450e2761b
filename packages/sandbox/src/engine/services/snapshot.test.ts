import { inspect } from "node:util";
import { expect, test } from "vitest";
import type { ConsoleState } from "../console/state/state.ts";
import type { LedgerState } from "../ledger/ledger-state.ts";
import type { MapperState } from "../mapper/mapper.ts";
import type { MobileState } from "../mobile/mobile-state.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { call, sandboxWithAllState, SUBSCRIBER, UPLINK } from "../testing/all-state.ts";
import { newDevice } from "../testing/console.ts";
import { createSteerableClock } from "../time/clocks.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { createForks } from "./forks.ts";
import type { Snapshot } from "./snapshot.ts";

/** Sends requests to all services, moves the clock, and returns every byte. */
async function everything(sandbox: Sandbox, ids: Record<string, string>): Promise<unknown> {
  const seen: unknown[] = [];
  for (const round of [1, 2]) {
    for (const route of [
      "console GET /api/v1/organization",
      "console GET /api/v1/devices",
      "console GET /api/v1/labels",
      "console GET /api/v1/integrations/",
      `console GET /api/v1/devices/${ids["device"]}/events`,
      "ledger GET /v1/accounts",
      "ledger GET /v1/blocks/height",
      "mobile GET /events",
      `mobile GET /v1/subscribers/${ids["subscriber"]}`,
    ])
      seen.push(await call(sandbox, route));
    seen.push(await call(sandbox, "console POST /api/v1/labels", { name: `Round ${round}` }));
    seen.push(await call(sandbox, "console POST /api/v1/devices", newDevice(100 + round)));
    seen.push(await call(sandbox, "mapper POST /api/v1/ingest/uplink", UPLINK));
    for (const key of ["once", `new ${round}`])
      seen.push(
        await call(sandbox, "mobile POST /v1/subscribers", SUBSCRIBER, { "idempotency-key": key }),
      );
    await sandbox.webhooks.advance(700_000);
    seen.push(
      sandbox.webhooks.deliveries().map(({ attempts, ...rest }) => ({
        ...rest,
        attempts: attempts.map(({ at, outcome }) => ({ at, outcome })),
      })),
    );
    seen.push(sandbox.webhooks.events(), sandbox.clock.now());
  }
  return seen;
}

test("a restored sandbox returns the same bytes to all later requests", async () => {
  const { sandbox, ids } = await sandboxWithAllState();
  const snapshot = sandbox.snapshot();
  const first = await everything(sandbox, ids);
  sandbox.restore(snapshot);
  expect(JSON.stringify(sandbox.snapshot())).toBe(JSON.stringify(snapshot));
  expect(await everything(sandbox, ids)).toEqual(first);
});

test("a fork, and a fork of it, return the same bytes, and do not change the others", async () => {
  const { sandbox, ids } = await sandboxWithAllState();
  const fork = sandbox.fork();
  const before = sandbox.snapshot();
  const inFork = await everything(fork, ids);
  expect(sandbox.snapshot()).toEqual(before);
  const second = sandbox.fork().fork();
  const inSandbox = await everything(sandbox, ids);
  expect(inSandbox).toEqual(inFork);
  expect(await everything(second, ids)).toEqual(inFork);
  expect(fork.log.requests("labels.create")).toHaveLength(2);
});

test("a sandbox from a JSON snapshot returns the same bytes, except for functions", async () => {
  const { sandbox, ids } = await sandboxWithAllState({ seed: "json", ledger: { accounts: 50 } });
  const json = JSON.stringify(sandbox.snapshot());
  for (const endpoint of sandbox.webhooks.endpoints) sandbox.webhooks.unregister(endpoint.id);
  const again = createSandbox({ snapshot: JSON.parse(json) });
  expect(again.apiKey).toBe(sandbox.apiKey);
  expect(again.webhooks.endpoints).toEqual([]);
  expect(await everything(again, ids)).toEqual(await everything(sandbox, ids));
});

test("faults that are a function are kept in this process, and are not written to a file", async () => {
  const sandbox = createSandbox({ faults: () => ({ kind: "status", status: 503 }) });
  const statusOf = async (of: Sandbox) => (await call(of, "ledger GET /v1/blocks/height")).status;
  const snapshot = sandbox.snapshot();
  sandbox.setFaults(undefined);
  sandbox.restore(snapshot);
  const fromFile = createSandbox({ snapshot: JSON.parse(JSON.stringify(snapshot)) });
  expect([
    await statusOf(sandbox),
    await statusOf(sandbox.fork()),
    await statusOf(fromFile),
  ]).toEqual([503, 503, 200]);
});

test("faults in the options replace those of the snapshot", async () => {
  const snapshot = createSandbox({ faults: [{ kind: "status", status: 500 }] }).snapshot();
  const sandbox = createSandbox({ snapshot, faults: [{ kind: "status", status: 418 }] });
  expect((await call(sandbox, "ledger GET /v1/blocks/height")).status).toBe(418);
});

test("a random rate of faults continues where it was", async () => {
  const sandbox = createSandbox({ faults: { rate: 0.5, kinds: [503] } });
  const statuses = async (of: Sandbox) => {
    const seen = [];
    for (let n = 0; n < 30; n++) seen.push((await call(of, "ledger GET /v1/blocks/height")).status);
    return seen;
  };
  await statuses(sandbox);
  const fork = createSandbox({ snapshot: JSON.parse(JSON.stringify(sandbox.snapshot())) });
  expect(await statuses(fork)).toEqual(await statuses(sandbox));
});

test("a pending delivery is sent again in the sandbox, and in its fork", async () => {
  const { sandbox, receiver } = await sandboxWithAllState();
  const snapshot = sandbox.snapshot();
  const fork = sandbox.fork();
  receiver.status = 200;
  for (const each of [sandbox, fork]) {
    receiver.bodies.length = 0;
    await each.webhooks.advance(200_000);
    expect(receiver.bodies.length).toBeGreaterThan(0);
    expect(each.webhooks.deliveries().every(({ status }) => status === "delivered")).toBe(true);
  }
  receiver.bodies.length = 0;
  sandbox.restore(snapshot);
  await sandbox.webhooks.advance(200_000);
  expect(receiver.bodies.length).toBeGreaterThan(0);
});

test("a printed snapshot shows no key, and JSON.stringify writes all of them", async () => {
  const { sandbox } = await sandboxWithAllState();
  const snapshot = sandbox.snapshot();
  const [secret] = sandbox.webhooks.endpoints[0]!.secrets;
  const secrets = [sandbox.apiKey, newDevice().app_key, secret!.reveal(), sandbox.mobile.apiKey];
  for (const each of secrets) {
    expect(inspect(snapshot, { depth: 20, showHidden: false })).not.toContain(each);
    expect(JSON.stringify(snapshot)).toContain(each);
  }
  expect(inspect(snapshot)).toBe(
    inspect({
      format: "fieldmesh-sandbox-snapshot",
      version: 2,
      seed: 1,
      time: sandbox.clock.now(),
      services: "[redacted]",
    }),
  );
});

test("a restore sets the clock, also back, and keeps the time of a clock that cannot be set", async () => {
  const clock = createSteerableClock({ start: "2026-01-01T00:00:00Z", paused: true });
  const sandbox = createSandbox({ clock });
  const snapshot = sandbox.snapshot();
  const fork = sandbox.fork();
  await sandbox.clock.advance(5_000);
  expect(fork.clock.now()).toBe(snapshot.time);
  expect(fork.clock.paused).toBe(true);
  sandbox.restore(snapshot);
  expect(clock.now()).toBe(snapshot.time);
  const fixed = { now: () => 77, sleep: async () => {} };
  const other = createSandbox({ clock: fixed, snapshot });
  expect([other.clock.now(), other.fork().clock]).toEqual([77, fixed]);
});

test("a copy as JSON is restored, and the error of another copy says so", () => {
  const sandbox = createSandbox();
  const snapshot = sandbox.snapshot();
  sandbox.restore(JSON.parse(JSON.stringify(snapshot)) as Snapshot);
  expect(() => sandbox.restore(structuredClone(snapshot))).toThrow(
    "copy it as JSON: structuredClone loses its devices",
  );
});

test.each([
  [{}, "This is not a snapshot of a sandbox"],
  ["text", "This is not a snapshot of a sandbox"],
  [{ version: 1 }, "reads snapshots of version 2"],
  [{ seed: 2 }, "another seed"],
  [{ options: { ledger: { height: 7 } } }, "other options"],
  [{ time: "now" }, "is not valid at time"],
  [{ more: 1 }, "is not valid at more"],
])("rejects %j with the reason", (change, message) => {
  const sandbox = createSandbox();
  const snapshot = sandbox.snapshot();
  const wrong =
    typeof change === "string" || Object.keys(change).length === 0
      ? change
      : { ...snapshot, ...change };
  expect(() => sandbox.restore(wrong as never)).toThrow(message);
  expect(sandbox.snapshot()).toEqual(snapshot);
});

test("a snapshot contains the seed and the options, so other ones are rejected", () => {
  const snapshot = createSandbox({ seed: 3 }).snapshot();
  expect(() => createSandbox({ snapshot, seed: 4 })).toThrow("remove seed");
  expect(() => createSandbox({ snapshot, ledger: {} })).toThrow("remove ledger");
  expect(() =>
    createSandbox({ snapshot: { ...snapshot, options: { ledger: { hight: 1 } } } }),
  ).toThrow("hight");
});

const ORIGIN = "http://127.0.0.1:4010";

/** A list of one fork, which responds with the URL that it sees. */
function open() {
  const forks = createForks();
  const stopped: string[] = [];
  const add = (name: string) =>
    forks.add({
      handler: async ({ url, method }) => new Response(`${method} ${url}`),
      stop: () => void stopped.push(name),
    });
  const get = async (path: string) => {
    const response = await forks.handle(new Request(ORIGIN + path, { method: "POST" }));
    return response && [response.status, await response.text()];
  };
  return { forks, stopped, add, get };
}

test("a path cannot lead to another host", async () => {
  const { add, get } = open();
  add("a");
  expect(await get("/forks/1//elsewhere.test/x")).toEqual([
    200,
    `POST ${ORIGIN}//elsewhere.test/x`,
  ]);
});

test("a fork is stopped when it is removed, or with all others", async () => {
  const { forks, stopped, add, get } = open();
  for (const name of ["a", "b", "c"]) add(name);
  forks.remove("2");
  expect([stopped, forks.ids]).toEqual([["b"], ["1", "3"]]);
  expect(await get("/forks/2/console")).toEqual([404, "Not Found"]);
  expect(() => forks.remove("2")).toThrow(new TypeError("There is no fork 2."));
  forks.stop();
  expect(stopped).toEqual(["b", "a", "c"]);
});

/** Members that follow from the seed, the options, the time, or other members. */
const DERIVED = "derived";
type Members<State> = {
  readonly [Member in keyof State]-?: ((state: State) => unknown) | "derived";
};

// A new member of a state does not compile until it is listed here: with a change that a snapshot must contain, or as derived.
const console_: Members<ConsoleState> = {
  organization: ({ organization }) => (organization.name = "Other"),
  keys: ({ keys }) => keys.set("key", "confirmed"),
  labels: ({ labels }) => labels.clear(),
  devices: ({ devices }) => devices.delete([...devices.values()][0]?.id ?? ""),
  integrations: ({ integrations }) =>
    integrations.set("i", { id: "i", name: "I", type: "http", target: undefined }),
  formerIntegrations: ({ formerIntegrations }) =>
    formerIntegrations.set("i", { id: "i", name: "I", type: "mqtt", target: undefined }),
  flows: ({ flows }) =>
    flows.set("f", {
      id: "f",
      integration_id: "i",
      label_id: null,
      device_id: null,
      function_id: null,
    }),
  deployment: DERIVED,
  clock: DERIVED,
  uplinkInterval: DERIVED,
  newId: ({ newId }) => newId(),
  firstUplink: ({ firstUplink }) => firstUplink(),
};
const ledger: Members<LedgerState> = {
  cursorLifetime: (state) => (state.cursorLifetime = 7),
  loops: ({ loops }) => loops.add("blocks.list"),
  expired: ({ expired }) => expired.epoch++,
  expireCursors: (state) => state.expireCursors(),
  chain: DERIVED,
  clock: DERIVED,
  accounts: DERIVED,
  hotspots: DERIVED,
  rewardsPerWeek: DERIVED,
  times: DERIVED,
  records: DERIVED,
  buckets: DERIVED,
  mostRich: DERIVED,
  emptyPages: DERIVED,
  firstHeight: DERIVED,
  expiringLists: DERIVED,
  expiredText: DERIVED,
  filtersInCursor: DERIVED,
  height: DERIVED,
};
const mapper: Members<MapperState> = {
  uplinks: ({ uplinks }) => uplinks.push({ at: 1, dev_eui: undefined, position: {}, uplink: {} }),
};
const mobile: Members<MobileState> = {
  subscribers: ({ subscribers }) => subscribers.set("s", { id: "s", livemode: false }),
  subscriptions: ({ subscriptions }) => subscriptions.set("s", { id: "s", livemode: true }),
  keys: ({ keys }) => keys.set("sk_live_1", "live"),
};
const register = (webhooks: Webhooks) => webhooks.register({ url: "http://127.0.0.1:3000/" });
const webhooks: Members<Webhooks> = {
  register,
  endpoints: register,
  rotate: (all) => all.rotate(register(all).id),
  unregister: DERIVED,
  trigger: (all) => all.trigger("plan.created"),
  emit: (all) => all.emit("plan.created", {}),
  events: (all) => all.emit("plan.created", {}),
  idle: DERIVED,
  advance: (all) => all.advance(1),
  disturb: (all) => all.disturb({ delay: 1 }),
  disturbance: (all) => all.disturb({ disorder: 1 }),
  deliveries: DERIVED,
  deadLetters: DERIVED,
  replay: DERIVED,
  replayMany: DERIVED,
};

function rows<State>(
  service: string,
  members: Members<State>,
  stateOf: (sandbox: Sandbox) => State,
): [string, (sandbox: Sandbox) => unknown][] {
  return Object.entries<Members<State>[keyof State]>(members).flatMap(([name, change]) =>
    change === DERIVED ? [] : [[`${service}.${name}`, (of: Sandbox) => change(stateOf(of))]],
  );
}

test.each([
  ...rows("console", console_, (sandbox) => sandbox.console.state),
  ...rows("ledger", ledger, (sandbox) => sandbox.ledger.state),
  ...rows("mapper", mapper, (sandbox) => sandbox.mapper.state),
  ...rows("mobile", mobile, (sandbox) => sandbox.mobile.state),
  ...rows("webhooks", webhooks, (sandbox) => sandbox.webhooks),
])("%s is in a snapshot, and in a sandbox that starts from it", async (_, change) => {
  const sandbox = createSandbox();
  const before = JSON.stringify(sandbox.snapshot());
  await change(sandbox);
  const after = JSON.stringify(sandbox.snapshot());
  expect(after).not.toBe(before);
  expect(JSON.stringify(sandbox.fork().snapshot())).toBe(after);
  expect(JSON.stringify(createSandbox({ snapshot: JSON.parse(after) }).snapshot())).toBe(after);
});
