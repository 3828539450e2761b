import type { EventEnvelope } from "@fieldmesh/webhook-types";
import { expect, test } from "vitest";
import type { FaultKind, Plan } from "./plan.ts";
import { runPlan } from "./run-plan.ts";
import type { Build } from "./subject.ts";
import type { World } from "./world.ts";
import { carryOut, one, ONE, START, two, TWO, types, type Handle } from "./testing/carry-out.ts";
import { byHand, mail } from "./testing/parts.ts";

const twice: Handle = async (event, world) => {
  await mail(world, event);
  await world.rows.set(event.id, event);
};

const struckBy = (kind: FaultKind, at = 0, deliver = [one]): Plan => ({
  steps: [{ deliver, fault: { kind, at } }],
});

test("a run without faults delivers each event once, and says what it has left", async () => {
  const plan = { steps: [{ deliver: [one] }, { deliver: [two, one], wait: 31 }] };
  const own = [{ event: "evt_own", name: "row" }];
  const rows = [{ object: "object_0", created_at: "2026-01-01T00:00:00Z" }];
  const more = { effects: () => own, rows: async () => new Set(rows) };
  const { run, lines, worlds, moved } = await carryOut(plan, twice, more);
  expect(lines).toEqual([
    `deliver ${ONE}`,
    '  effect "mail"',
    "  rows: set",
    `  ${ONE} → 200`,
    `deliver ${TWO}`,
    `deliver ${ONE}`,
    '  effect "mail"',
    '  effect "mail"',
    "  rows: set",
    "  rows: set",
    `  ${TWO} → 200`,
    `  ${ONE} → 200`,
  ]);
  expect(run.deliveries.map(({ event, ...each }) => [event.id, each])).toEqual(
    [ONE, TWO, ONE].map((id) => [id, { status: 200, isForged: false, at: START }]),
  );
  expect([...run.firstSeen]).toEqual([ONE, TWO].map((id) => [id, START]));
  // First those of the world, then those of the receiver's own database.
  expect(run.effects).toEqual([ONE, TWO].map((event) => ({ event, name: "mail" })).concat(own));
  expect([...run.rows].map(([key, { id }]) => [key, id])).toEqual([
    [ONE, ONE],
    [TWO, TWO],
  ]);
  expect(run.ownRows).toEqual(rows);
  expect([run.calls, worlds.length, moved]).toEqual([2, 1, 31_000]);
});

const again = [`deliver ${ONE}`, '  effect "mail"', "  rows: set", `  ${ONE} → 200`];
test.each<[FaultKind, string, number | undefined, number]>([
  ["crash before", "the process crashes before it", undefined, 2],
  ["crash after", "the process crashes after it", undefined, 2],
  ["error before", "fails and does nothing", 500, 1],
  ["error after", "is done, and then fails", 500, 1],
])("%s of the second call: it %s, and the sender retries", async (kind, what, status, builds) => {
  const { run, sent, lines, worlds, moved } = await carryOut(struckBy(kind, 1), twice);
  expect(lines).toEqual([
    `deliver ${ONE}`,
    '  effect "mail"',
    `  rows: set: ${what}`,
    `  ${ONE} → ${status ?? "no response"}`,
    ...again,
  ]);
  expect(sent).toEqual([
    [ONE, status],
    [ONE, 200],
  ]);
  expect([worlds.length, moved]).toEqual([builds, 30_000]);
  // Those of the step, without the retry.
  expect(run.calls).toBe(2);
});

test("a fault strikes the first of several deliveries, at its own calls", async () => {
  const { lines, sent } = await carryOut(struckBy("error before", 1, [one, two]), twice);
  expect(lines.slice(0, 8)).toEqual([
    `deliver ${ONE}`,
    `deliver ${TWO}`,
    '  effect "mail"',
    '  effect "mail"',
    "  rows: set: fails and does nothing",
    "  rows: set",
    `  ${ONE} → 500`,
    `  ${TWO} → 200`,
  ]);
  expect(sent[2]).toEqual([ONE, 200]);
});

test("a response that is lost has no status for its sender, who delivers again", async () => {
  const { lines, sent } = await carryOut(struckBy("response lost"), twice);
  expect(lines).toEqual([...again.slice(0, 3), `  ${ONE} → 200, which is lost`, ...again]);
  expect(sent).toEqual([
    [ONE, undefined],
    [ONE, 200],
  ]);
});

test("a forged delivery is the first of its step, and the sender retries the genuine event", async () => {
  const { run, lines } = await carryOut(struckBy("forged", 0, [one, two]), twice);
  expect(lines[0]).toBe(`deliver ${ONE} without the secret`);
  expect(lines[1]).toBe(`deliver ${TWO}`);
  expect(lines).toContain(`  ${ONE} → 401`);
  expect(run.deliveries.map(({ event, ...each }) => ({ id: event.id, ...each }))).toEqual([
    { id: ONE, status: 401, isForged: true, at: START },
    { id: TWO, status: 200, isForged: false, at: START },
    { id: ONE, status: 200, isForged: false, at: START + 30_000 },
  ]);
  // A forged delivery shows no event.
  expect(run.firstSeen.get(ONE)).toBe(START + 30_000);
});

test("the sender changes its secret before the named step, and the old one remains valid", async () => {
  // A verifier asks for the secret at most every ten seconds.
  const plan = { rotateAt: 1, steps: [{ deliver: [one], wait: 10 }, { deliver: [two] }] };
  const seen: (readonly string[])[] = [];
  const { lines, sent } = await carryOut(plan, async (_event, world) => {
    seen.push(world.secrets());
  });
  const [old, both] = seen;
  expect([old?.length, both?.length, both?.[1]]).toEqual([1, 2, old?.[0]]);
  expect(both?.[0]).not.toBe(old?.[0]);
  expect(lines.indexOf("the sender changes to a new secret")).toBe(2);
  expect(sent).toEqual([
    [ONE, 200],
    [TWO, 200],
  ]);

  const stubborn: Build = (world) =>
    byHand(world, async () => 200, {
      secret: world.survives("secret", () => world.secrets()[0] ?? ""),
    });
  const run = await runPlan({ build: stubborn, types, settle: 0 }, plan);
  expect(run.deliveries.slice(0, 2).map(({ status }) => status)).toEqual([200, 401]);
});

/** Runs a plan with a receiver that accepts everything, and returns its requests. */
async function requestsOf(plan: Plan) {
  const seen: { request: Request; now: number }[] = [];
  const build: Build =
    ({ clock }) =>
    async (request) => {
      seen.push({ request, now: clock.now() });
      return new Response();
    };
  await runPlan({ build, types, settle: 0 }, plan);
  return seen;
}

const timestampOf = ({ headers }: Request) => {
  const [, seconds] = /t=(\d+)/.exec([...headers.values()].join(" ")) ?? [];
  return Number(seconds) * 1_000;
};

test.each([undefined, 0, 240, -60])("the receiver's clock is ahead by %s seconds", async (skew) => {
  const [sent] = await requestsOf({ skew, steps: [{ deliver: [one] }] });
  expect(sent?.request.method).toBe("POST");
  expect(sent?.request.url).toBe("http://127.0.0.1/webhooks");
  expect(timestampOf(sent!.request)).toBe(START);
  expect(sent?.now).toBe(START + (skew ?? 0) * 1_000);
});

test.each([
  [undefined, [ONE, TWO, ONE, TWO]],
  [
    [1, 0, 0, 0],
    [TWO, ONE, TWO, ONE],
  ],
  [
    [0, 1],
    [ONE, ONE, TWO, TWO],
  ],
  [
    [1, 1, 1, 1],
    [TWO, TWO, ONE, ONE],
  ],
])("the turns %j decide which delivery continues", async (turns, expected) => {
  const order: string[] = [];
  const handle: Handle = async (event, world) => {
    for (let call = 0; call < 2; call++) {
      await world.rows.get("any");
      order.push(event.id);
    }
  };
  await carryOut({ steps: [{ deliver: [one, two], turns }] }, handle);
  // The one that has continued is the last to wait again.
  expect(order).toEqual(expected);
});

test("what poison stores keep is set aside, wherever they are", async () => {
  const keeps = (id: string) => ({ list: async () => [{ id }], setAside: async () => true });
  const handle: Handle = async (_event, world) => {
    world.survives("poison", () => keeps(ONE));
    world.survives("a table", () => ({ list: async () => [{ id: "evt_other" }] }));
  };
  const more = { poison: keeps(TWO) as never };
  const { run } = await carryOut({ steps: [{ deliver: [one] }] }, handle, more);
  expect(run.setAside).toEqual(new Set([ONE, TWO]));
});

test("a catch-up sees the stored copies of all planned events, and may reject", async () => {
  let stored: EventEnvelope[] = [];
  const catchUp = async () => {
    const response = await world!.mobile.fetch();
    ({ data: stored } = (await response.json()) as { data: EventEnvelope[] });
    throw new Error("no more pages");
  };
  let world: World | undefined;
  const build: Build = (given) => {
    world = given;
    return { receive: byHand(given, (event) => mail(given, event).then(() => 200)), catchUp };
  };
  const lines: string[] = [];
  const plan: Plan = { steps: [{ deliver: [one], catchUp: true }, { deliver: [[1, 0, 0]] }] };
  const coded = ["cpni.verification.requested", "sim.suspended"] as const;
  const run = await runPlan({ build, types: coded, settle: 0 }, plan, (line) => lines.push(line));
  const ids = ["evt_cpni.verification.requested_0_0", "evt_sim.suspended_0_0"];
  expect(stored.map(({ id }) => id)).toEqual(ids);
  expect(stored[0]?.data["object"]).not.toHaveProperty("code");
  expect(lines[0]).toBe("catch up, beside the next deliveries");
  expect(run.firstSeen.get(ids[1]!)).toBe(START);
  expect(run.deliveries.map(({ status }) => status)).toEqual([200, 200]);
});

test("a date that surprises is shown", async () => {
  const plan: Plan = {
    steps: [
      {
        deliver: [
          [0, 0, "unreadable"],
          [0, 0, 960],
        ],
      },
    ],
  };
  const { lines } = await carryOut(plan, async () => 200);
  expect(lines[0]).toBe('deliver evt_sim.activated_0_unreadable, created_at "no date"');
  expect(lines[1]).toBe('deliver evt_sim.activated_0_960, created_at "2026-01-01T00:15:00.000Z"');
});
