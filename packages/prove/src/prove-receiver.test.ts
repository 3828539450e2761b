import { DatabaseSync } from "node:sqlite";
import type { Clock } from "@fieldmesh/core";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sqliteInbox, sqliteOrder } from "@fieldmesh/webhook-types/stores";
import { expect, test } from "vitest";
import { ProofError } from "./proof-error.ts";
import { proveReceiver, type ProveOptions } from "./prove-receiver.ts";
import type { History } from "./history.ts";
import { runPlan } from "./run-plan.ts";
import type { Build, Subject } from "./subject.ts";
import { correct } from "./testing/correct.ts";
import { byHand, mail, objectOf, receiver } from "./testing/parts.ts";
import { planted } from "./testing/planted.ts";
import type { World } from "./world.ts";

const events = ["sim.activated", "sim.suspended"] as const;

async function errorOf(build: Build | undefined, options: Partial<ProveOptions> = {}) {
  const error: unknown = await proveReceiver(build!, { events, seed: 1, ...options }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProofError)) throw error;
  return error;
}

/** The slow tests run all of them. */
const SOME: Readonly<Record<string, string>> = {
  "claims the event before the work": "nothing is lost",
  "overwrites the state with the last delivery": "the newest state wins",
  "sends the mail without a key": "an effect happens once",
  "reads the secret once": "every delivery is accepted in the end",
  "verifies nothing": "forged deliveries are rejected",
};
for (const [name, rule] of Object.entries(SOME))
  test(`finds a receiver that ${name}`, async () => {
    expect(await errorOf(planted[name])).toMatchObject({ rule });
  });

test("finds no failure of a receiver that keeps the rules, and returns how many runs it has done", async () => {
  const build = correct["an order, a store, rows and a mail"]!;
  const proof = await proveReceiver(build, { events, seed: 7, runs: 10 });
  // The plain runs: of each type, 12 without a fault, and 34 faults for one delivery and for two: six calls, and two more, are struck.
  const plain = 2 * (12 + 34 * 2);
  expect(proof).toEqual({ seed: 7, runs: plain + 10, deliveries: expect.any(Number) as number });
  expect(proof.deliveries).toBeGreaterThan(plain);
});

test("the message shows the shortest failing sequence, and a test that repeats it", async () => {
  const build = planted["sends the mail without a key"]!;
  const one = { events: ["sim.activated"] } as const;
  const { message, plan } = await errorOf(build, one);
  expect(message)
    .toBe(`“an effect happens once” does not hold: the effect "mail" of evt_sim.activated_0_0 happened 2 times.

  deliver evt_sim.activated_0_0
    store: claim
    effect "mail": the process crashes after it
    evt_sim.activated_0_0 → no response
  deliver evt_sim.activated_0_0
    store: claim
    effect "mail"
    store: complete
    evt_sim.activated_0_0 → 200

Found with seed 1. To repeat it:

test("an effect happens once", async () => {
  await proveReceiver(build, { events, replay: { steps: [ { deliver: [ [ 0, 0, 0 ] ], fault: { kind: 'crash after', at: 1 } } ] } });
});`);
  const replayed = await errorOf(build, { ...one, replay: plan });
  expect(replayed.message).toBe(message.replace("Found with seed 1. To", "To"));
  expect(
    await proveReceiver(correct["no store, and keys"]!, { events, replay: plan }),
  ).toMatchObject({ runs: 1, deliveries: 1 });
});

test("the same seed finds the same sequence", async () => {
  const [one, two] = [
    await errorOf(planted["checks whether the event is done, and marks it a moment later"]),
    await errorOf(planted["checks whether the event is done, and marks it a moment later"]),
  ];
  expect(one.message).toBe(two.message);
});

test("a custom rule is checked after each run", async () => {
  const build = correct["no store, and keys"]!;
  const invariants = {
    "no mail at all": ({ effects }: { effects: readonly unknown[] }) =>
      effects.length > 0 ? "a mail was sent" : undefined,
  };
  expect(await errorOf(build, { invariants })).toMatchObject({ rule: "no mail at all" });
  const throws = { "a query": () => Promise.reject(new Error("no such table")) };
  const { message } = await errorOf(build, { invariants: throws });
  expect(message).toContain("“a query” does not hold: Error: no such table");
});

test("the clock advances for a handler that waits for it, and a handler that never ends is abandoned", async () => {
  const waiting =
    (wait: (clock: Clock) => Promise<void>): Build =>
    (world) =>
      createReceiver({
        secret: world.secrets,
        clock: world.clock,
        store: world.store(() => memoryStore({ clock: world.clock })),
        handlers: {
          "sim.*": async (event, { idempotencyKey }) => {
            await wait(world.clock);
            await world.effect("mail", event, { key: idempotencyKey });
          },
        },
      });
  const options = { events, seed: 1, runs: 3 };
  const sleeps = waiting((clock) => clock.sleep(2_000));
  expect(await proveReceiver(sleeps, options)).toMatchObject({ runs: 3 + 2 * (12 + 22 * 2) });
  const hangs = waiting(() => new Promise(() => {}));
  await expect(proveReceiver(hangs, options)).rejects.toThrow(
    "One sim.activated, delivered without any fault, leaves no effect and no row. It did not respond: the handler waits for something",
  );
});

test("what never repeats is shown with its plan and the run that broke it", async () => {
  let runs = 0;
  const build: Build = (world) => {
    world.survives("run", () => runs++);
    const isOdd = runs === 19;
    return receiver(world, {
      handlers: {
        "sim.*": (event) => world.effect("mail", event, isOdd ? {} : { key: event.id }),
      },
    });
  };
  const { message, isRepeated, plan } = await errorOf(build, { runs: 5 });
  expect(isRepeated).toBe(false);
  expect(plan).toMatchObject({ steps: [{ fault: { kind: "crash after", at: 1 } }] });
  expect(message).toMatch(/happened 2 times\.\n\nBroken once, not repeated/);
  expect(message).toContain("  deliver evt_sim.activated_0_0");
  expect(message).toContain("To try the same plan again:");
});

test("a search that takes longer than maxTime says how many runs it has done", async () => {
  const build = correct["no store, and keys"]!;
  await expect(
    proveReceiver(build, { events, seed: 1, runs: 5_000, maxTime: 200 }),
  ).rejects.toThrow(
    /^\d+ of 5080 runs in 0\.2 s, no rule broken\. Raise maxTime, or lower runs\.$/,
  );
  // A rule that was broken before is reported.
  const broken = planted["sends the mail without a key"];
  expect(await errorOf(broken, { runs: 100_000, maxTime: 60_000 })).toBeInstanceOf(ProofError);
});

test("a user's rule sees no event of the type that nobody knows", async () => {
  const types = new Set<string>();
  const build: Build = (world) =>
    receiver(world, {
      handlers: {
        "*": async (event) => {
          types.add(event.type);
          await world.rows.set(event.id, event);
          await mail(world, event);
        },
      },
    });
  const seen = new Set<string>();
  const rule = ({ deliveries, effects, rows }: History) => {
    for (const { event } of deliveries) seen.add(event.type);
    for (const { event } of effects) seen.add(event);
    for (const { type } of rows.values()) seen.add(type);
  };
  const replay = { steps: [{ deliver: [[2, 0, 0]] }, { deliver: [[0, 0, 0]] }] } as const;
  await proveReceiver(build, { events, replay, invariants: { rule } });
  expect([...types]).toContain("sim.prove_happened");
  expect([...seen].filter((each) => each.includes("prove_happened"))).toEqual([]);
  expect(seen.size).toBeGreaterThan(1);
});

/** A receiver with an inbox and a table in SQLite. */
const withTable =
  (upsert: string, withOrder = true): Build =>
  (world) => {
    const opened = world.survives("database", () => {
      const made = new DatabaseSync(":memory:");
      made.exec("CREATE TABLE sims (id TEXT PRIMARY KEY, at TEXT)");
      return made;
    });
    const database = world.database(opened);
    const inbox = sqliteInbox(database, { clock: world.clock });
    const receive = receiver(world, {
      store: inbox,
      ...(withOrder && { order: sqliteOrder(database, { clock: world.clock }) }),
      handlers: {
        "sim.*": async (event, context) => {
          inbox.transaction(context).prepare(upsert).run(objectOf(event), event.created_at);
        },
      },
    });
    const select = "SELECT id, at FROM sims";
    const rows = () =>
      opened
        .prepare(select)
        .all()
        .map(({ id, at }) => ({ object: String(id), created_at: String(at) }));
    return { receive, rows };
  };
const UPSERT = "INSERT INTO sims VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at";

test("the newest state of the user's own table is checked, and an inbox with an order keeps it", async () => {
  // The slow tests search; here, an older event follows a newer one.
  const replay = { steps: [{ deliver: [[0, 0, 1]] }, { deliver: [[0, 0, 0]] }] } as const;
  const options = { events, replay, settle: 0 };
  expect(await proveReceiver(withTable(UPSERT), options)).toMatchObject({ runs: 1, deliveries: 2 });
  const stale = await errorOf(withTable(UPSERT, false), options);
  expect(stale.rule).toBe("the newest state wins");
  expect(stale.message).toContain("a row shows object_0 of 2025-12-31T23:59:00.000Z, although");
  const first = "INSERT INTO sims VALUES (?, ?) ON CONFLICT (id) DO NOTHING";
  const later = { steps: replay.steps.toReversed() };
  const kept = await errorOf(withTable(first), { ...options, replay: later });
  expect(kept.rule).toBe("the newest state wins");
  const noTime = withTable(UPSERT.replace("(?, ?)", "(?, ? || 'x')"));
  await expect(proveReceiver(noTime, options)).rejects.toThrow("is not a time: return that of");
});

/** How far the clock moves in a run whose handler waits for I/O. */
async function movedDuring(
  wait: (world: World) => Promise<unknown>,
  given: Pick<Subject, "effects">,
  settle?: number,
) {
  const clocks: Clock[] = [];
  const starts: number[] = [];
  const build: Build = (world) => {
    clocks.push(world.clock);
    starts.push(world.clock.now());
    return { ...given, receive: byHand(world, () => wait(world).then(() => 200)) };
  };
  await runPlan({ build, types: events, settle }, { steps: [{ deliver: [[0, 0, 0]] }] });
  return (clocks[0]?.now() ?? 0) - (starts[0] ?? 0);
}
const io = () => new Promise((resolve) => void setTimeout(resolve, 20));
/** Longer than a flow without a call is waited for, even if the machine is busy. */
const slowIo = () => new Promise((resolve) => void setTimeout(resolve, 1_000));

test("the clock does not move while a query is open, whatever settle is", async () => {
  const pool = { query: slowIo, connect: slowIo };
  expect(await movedDuring((world) => world.database(pool).query(), {}, 0)).toBe(0);
  expect(await movedDuring(slowIo, {}, 0)).toBeGreaterThan(0);
});

test("the clock waits 50 ms for a database that is not wrapped, if the receiver shows its effects", async () => {
  expect(await movedDuring(io, { effects: () => [] })).toBe(0);
  expect(await movedDuring(slowIo, {})).toBeGreaterThan(0);
});

test("a crash during a query gives its connection back, closed, so that the server rolls back", async () => {
  const released: unknown[] = [];
  const client = {
    query: async () => ({ rows: [] }),
    release: (how: unknown) => released.push(how),
  };
  const pool = { query: client.query, connect: async () => client };
  const build: Build = (world) =>
    byHand(world, async () => {
      const own = await world.database(pool).connect();
      await own.query();
      own.release(undefined);
      return 200;
    });
  const lines: string[] = [];
  const plan = {
    steps: [{ deliver: [[0, 0, 0]], fault: { kind: "crash after", at: 1 } }],
  } as const;
  await runPlan({ build, types: events, settle: 0 }, plan, (line) => lines.push(line));
  expect(released).toEqual([true, undefined]);
  expect(lines).toContain("  database: connect");
  expect(lines).toContain("  database: query: the process crashes after it");
});

test("the error of a table that cannot be read is not hidden", async () => {
  let calls = 0;
  const build: Build = async (world) => ({
    ...((await withTable(UPSERT)(world)) as Subject),
    rows: () => {
      if (calls++ > 3) throw new Error("no such table: sims");
      return [{ object: "object_0", created_at: "2025-12-31T23:59:00Z" }];
    },
  });
  await expect(proveReceiver(build, { events, seed: 1, settle: 0 })).rejects.toThrow(
    "no such table: sims",
  );
});

test("a database is wrapped for each process: one that outlives its process is named", async () => {
  const build: Build = (world) => {
    const database = world.survives("database", () => world.database(new DatabaseSync(":memory:")));
    return byHand(world, async (event) => {
      database.exec("SELECT 1");
      await mail(world, event);
      return 200;
    });
  };
  const lines: string[] = [];
  const plan = {
    steps: [{ deliver: [[0, 0, 0]], fault: { kind: "crash after", at: 0 } }],
  } as const;
  await runPlan({ build, types: events, settle: 0 }, plan, (line) => lines.push(line));
  expect(lines.join("\n")).toContain("→ 500");
  const wrong = (world: World) => world.database({ query: 1 } as never);
  await expect(proveReceiver(wrong as never, { events })).rejects.toThrow(
    "world.database requires a Pool of pg, or a database of",
  );
});
