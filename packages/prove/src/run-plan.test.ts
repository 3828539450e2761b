import type { EventEnvelope } from "@fieldmesh/webhook-types";
import { expect, test, afterEach, vi } from "vitest";
import type { FaultKind, Plan, PlannedEvent } from "./plan.ts";
import { runPlan } from "./run-plan.ts";
import type { Build, Subject } from "./subject.ts";
import type { World } from "./world.ts";
import { byHand, mail } from "./testing/parts.ts";
import { nextTurn } from "../../sandbox/src/engine/time/sleepers.ts";
import { RETRY_DELAYS } from "@fieldmesh/sandbox/internal/engine";

/** When each run begins. */
const START: number = Date.parse("2026-01-01T00:00:00Z");
const types = ["sim.activated", "sim.suspended"] as const;

/** Two events of a plan, and their ids. */
const one: PlannedEvent = [0, 0, 0];
const two: PlannedEvent = [1, 1, 2];
const ONE = "evt_sim.activated_0_0";
const TWO = "evt_sim.suspended_1_2";

/** What a receiver does with an event. It responds 200, or the status that this returns. */
type Handle = (event: EventEnvelope, world: World) => Promise<unknown>;

/** Carries out a plan with a receiver that is written by hand, and shows what has happened. */
async function carryOut(plan: Plan, handle: Handle, more: Omit<Subject, "receive"> = {}) {
  const lines: string[] = [];
  const worlds: World[] = [];
  const build: Build = (world) => {
    worlds.push(world);
    const receive = byHand(world, async (event) => {
      const status = await handle(event, world);
      return typeof status === "number" ? status : 200;
    });
    return { receive, ...more };
  };
  const run = await runPlan({ build, types, settle: 0 }, plan, (line) => lines.push(line));
  const sent = run.deliveries.map(({ event, status }) => [event.id, status]);
  return { run, sent, lines, worlds, moved: (worlds.at(-1)?.clock.now() ?? 0) - START };
}

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

afterEach(() => void vi.restoreAllMocks());

const turnOfTheLoop = () => new Promise<void>((resolve) => void setImmediate(resolve));

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await turnOfTheLoop();
}

/** Long enough that a flow without a call is no longer waited for, if the real time allows it. */
const IDLE = 2_100;
const none = () => [];

test.each<[string, number | undefined, number, Omit<Subject, "receive">]>([
  ["nothing of its own", undefined, 0, {}],
  ["effects", undefined, 50, { effects: none }],
  ["rows", undefined, 50, { rows: none }],
  ["effects and rows", undefined, 50, { effects: none, rows: none }],
  ["effects", 0, 0, { effects: none }],
  ["rows", 80, 80, { rows: none }],
  ["nothing of its own", 80, 80, {}],
])(
  "a receiver with %s and settle %s is waited for %d ms before the clock moves",
  async (_what, settle, most, own) => {
    let time = 0;
    vi.spyOn(performance, "now").mockImplementation(() => time);
    const begun = Promise.withResolvers<World>();
    const response = Promise.withResolvers<Response>();
    const build: Build = (given) => ({
      ...own,
      receive: () => {
        begun.resolve(given);
        return response.promise;
      },
    });
    const run = runPlan({ build, types, settle }, { steps: [{ deliver: [one] }] });
    const { clock } = await begun.promise;
    const hasMoved = async () => {
      await pass(IDLE);
      await nextTurn();
      await nextTurn();
      return clock.now() > START;
    };
    if (most > 0) {
      time = most - 1;
      expect(await hasMoved()).toBe(false);
      time = most;
    }
    expect(await hasMoved()).toBe(true);
    response.resolve(new Response());
    await run;
  },
);

test.each([
  ["responds", false],
  ["makes another call", true],
])("the clock does not move if a delivery %s after a long query", async (_name, callsAgain) => {
  // Each look at the real time takes a millisecond, so that the query takes longer than one that is not waiting for a lock.
  let time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => time++);
  const pool = { query: () => pass(2_500), connect: none };
  const { sent, moved } = await carryOut({ steps: [{ deliver: [one] }] }, async (_event, world) => {
    await world.database(pool).query();
    if (callsAgain) await world.rows.get("any");
  });
  expect([sent, moved]).toEqual([[[ONE, 200]], 0]);
});

const once = { steps: [{ deliver: [one] }] };

test("the sender retries nine times by its schedule, of which the story shows one", async () => {
  const times: number[] = [];
  const { sent, lines, moved } = await carryOut(once, async (_event, { clock }) => {
    times.push(clock.now() - START);
    return 503;
  });
  let sum = 0;
  const expected = [0, ...RETRY_DELAYS.map((delay) => (sum += delay))];
  expect([times, moved]).toEqual([expected, sum]);
  expect(sent).toEqual(Array.from({ length: 10 }, () => [ONE, 503]));
  expect(lines).toEqual([
    `deliver ${ONE}`,
    `  ${ONE} → 503`,
    `deliver ${ONE}`,
    `  ${ONE} → 503`,
    "the sender retries until its schedule ends",
  ]);
});

test.each([
  [200, 1],
  [299, 1],
  [300, 10],
  [404, 10],
])("after the status %d, an event is delivered %d times", async (status, times) => {
  const { sent } = await carryOut(once, async () => status);
  expect(sent).toHaveLength(times);
});

test("what was accepted once is not delivered again, and each other event on its own", async () => {
  const seen: string[] = [];
  const handle: Handle = async ({ id }) => {
    seen.push(id);
    // The first copy of the first event is accepted, and what follows fails twice.
    return seen.length > 1 && seen.length < 5 ? 500 : 200;
  };
  const plan = { steps: [{ deliver: [one, two] }, { deliver: [one] }, { deliver: [two, two] }] };
  const { sent, lines } = await carryOut(plan, handle);
  expect(seen).toEqual([ONE, TWO, ONE, TWO, TWO]);
  expect(sent.map(([, status]) => status)).toEqual([200, 500, 500, 500, 200]);
  expect(lines.filter((line) => line.startsWith("deliver"))).toHaveLength(5);
});

test("a delivery that neither waits nor ends is given ten seconds of the clock", async () => {
  let calls = 0;
  const hang: Handle = () => (++calls === 1 ? new Promise(() => {}) : Promise.resolve());
  const { sent, lines, worlds, moved } = await carryOut(once, hang);
  expect(sent).toEqual([
    [ONE, undefined],
    [ONE, 200],
  ]);
  expect(lines[1]).toBe(`  ${ONE} → no response`);
  // Its process lives on.
  expect([worlds.length, moved]).toEqual([1, 10_000 + 30_000]);
});

test("a receiver is built again after a crash only, and reads its database in a process that lives", async () => {
  let number = 0;
  const read: number[] = [];
  const build: Build = (world) => {
    const own = ++number;
    const effects = () => {
      read.push(own);
      return [];
    };
    const rows = () => {
      read.push(own);
      return [];
    };
    const receive = byHand(world, () => world.rows.get("any").then(() => 200));
    return { receive, effects, rows };
  };
  // The event was accepted before, so that the sender has nothing to retry after the crash.
  const fault = { kind: "crash after", at: 0 } as const;
  const plan = { steps: [{ deliver: [one] }, { deliver: [one] }, { deliver: [one], fault }] };
  await runPlan({ build, types, settle: 0 }, plan);
  expect([number, read]).toEqual([2, [2, 2]]);
});

test("a process that crashes between two deliveries of a step is replaced for the next one", async () => {
  const lines: string[] = [];
  let built = 0;
  // A call at once, so that the crash comes before the second delivery begins.
  const build: Build = (world) => {
    built++;
    const { exec } = world.database({ exec: () => {}, prepare: () => {}, isTransaction: false });
    return byHand(world, async () => {
      exec();
      return 200;
    });
  };
  const fault = { kind: "crash before", at: 0 } as const;
  const plan = { steps: [{ deliver: [one, two], fault }] };
  const run = await runPlan({ build, types, settle: 0 }, plan, (line) => lines.push(line));
  expect(lines.slice(0, 5)).toEqual([
    `deliver ${ONE}`,
    "  database: query: the process crashes before it",
    `deliver ${TWO}`,
    "  database: query",
    `  ${ONE} → no response`,
  ]);
  expect(run.deliveries.map(({ status }) => status)).toEqual([undefined, 200, 200]);
  expect(built).toBe(2);
});

test("a crash ends the other deliveries of its process without a response", async () => {
  const gate = Promise.withResolvers<void>();
  let calls = 0;
  const handle: Handle = async ({ id }, world) => {
    // The second one would respond as soon as the call of the first one is carried out.
    if (++calls === 2) await gate.promise;
    else if (id === ONE)
      await world.rows.update("any", () => {
        gate.resolve();
        return {} as never;
      });
  };
  const fault = { kind: "crash after", at: 0 } as const;
  const { sent } = await carryOut({ steps: [{ deliver: [one, two], fault }] }, handle);
  expect(sent.slice(0, 2)).toEqual([
    [ONE, undefined],
    [TWO, undefined],
  ]);
});

test("nobody wakes a process that has crashed, whatever it waits for", async () => {
  const woken: string[] = [];
  let calls = 0;
  const controller = new AbortController();
  const handle: Handle = async (_event, world) => {
    if (++calls > 1) return;
    const wake = (name: string) => () => void woken.push(name);
    void world.clock.sleep(1_000).then(wake("slept"), wake("failed"));
    void world.clock.sleep(1_000, controller.signal).then(wake("slept"), wake("failed"));
    await world.rows.get("any");
  };
  const fault = { kind: "crash after", at: 0 } as const;
  await carryOut({ steps: [{ deliver: [one], fault, wait: 5 }] }, handle);
  controller.abort();
  expect([woken, calls]).toEqual([[], 2]);
});
