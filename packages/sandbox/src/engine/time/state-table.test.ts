import { expect, test } from "vitest";
import type { ConsoleState } from "../console/state/state.ts";
import type { LedgerState } from "../ledger/ledger-state.ts";
import type { MapperState } from "../mapper/mapper.ts";
import type { MobileState } from "../mobile/mobile-state.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";

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
