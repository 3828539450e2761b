import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createVirtualClock } from "@fieldmesh/sandbox";
import { createReceiver } from "@fieldmesh/webhook-types/receiver";
import { createEventRouter, type EventHandlers } from "@fieldmesh/webhook-types/router";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type * as Storage from "../service/storage.ts";
import { startPostgres } from "../../tools/servers.ts";
import {
  HOUR,
  SECRET,
  startEventService,
  storedEvent,
  type ListOrder,
} from "../../tools/testing/event-service.ts";
import { describeWith } from "../../tools/testing/describe-with.ts";

// The nightly program of the guide, as it is, in a time that the test advances: with a handler that fails until the fourth day, wrong
// dates, an event that cannot be parsed, codes that only a delivery has, and a pause of five days.

const START = Date.parse("2026-11-01T00:00:00Z");
/** The days of the runs, at three o'clock. */
const NIGHTS = [1, 2, 3, 4, 9, 10, 11, 12];
const at = (day: number, hour: number) => START + (day * 24 + hour) * HOUR;
const REPAIRED = at(4, 0);

const database = await startPostgres();
afterAll(async () => {
  if (database.url !== undefined) await database.stop();
});

describeWith(database, "PostgreSQL", (url) => {
  const clock = createVirtualClock(START);
  let service: ReturnType<typeof startEventService>;
  let duringRequest = async () => {};
  const server = createServer((request, response) => {
    void duringRequest().then(() => response.end(JSON.stringify(service.list(request.url ?? ""))));
  });
  const pool = new pg.Pool({ connectionString: url });
  pool.on("error", () => {});
  let storage: typeof Storage;
  let nightly: () => Promise<void>;
  let runAside: () => Promise<void>;

  const handle: NonNullable<EventHandlers["*"]> = async ({ id, data }, context) => {
    if (/fails|aside/.test(id) && Date.now() < REPAIRED) throw new Error("a bug");
    const { code } = data.object as { code?: { reveal: () => string } };
    const values = [id, code?.reveal() ?? null];
    await storage.inbox.transaction(context).query("INSERT INTO effects VALUES ($1, $2)", values);
  };
  const handlers: EventHandlers = {
    "subscriber.*": handle,
    "cpni.verification.requested": handle,
    "cpni.verification.succeeded": handle,
  };

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    // now() of the database is the time of the test.
    await pool.query(`CREATE SCHEMA virtual; CREATE TABLE virtual.clock (at timestamptz);
      INSERT INTO virtual.clock VALUES (pg_catalog.now());
      CREATE FUNCTION virtual.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM virtual.clock'`);
    const path = encodeURIComponent("-c search_path=virtual,pg_catalog");
    vi.stubEnv("DATABASE_URL", `${url}?options=${path}`);
    vi.stubEnv("MOBILE_URL", `http://127.0.0.1:${port}`);
    vi.stubEnv("MOBILE_KEY", "sk_sandbox_12345678");
    vi.stubEnv("EVENTS_KEY", Buffer.alloc(32, 7).toString("base64"));
    vi.doMock("../service/handlers.ts", () => ({ handlers, router: createEventRouter(handlers) }));
    storage = await import("../service/storage.ts");
    ({ nightly } = await import("../service/nightly.ts"));
    ({ runAside } = await import("../service/aside.ts"));
    await storage.migrate();
    await storage.pool.query("CREATE TABLE effects (event_id text, code text)");
  }, 60_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    vi.useRealTimers();
    server.close();
    await Promise.all([pool.end(), storage.pool.end()]);
  });

  /** Returns what happens, by its time. */
  function plan(): Map<number, (() => void)[]> {
    const happens = new Map<number, (() => void)[]>();
    const on = (time: number, ...added: Parameters<typeof service.add>) =>
      happens.set(time, [...(happens.get(time) ?? []), () => service.add(...added)]);
    // Every third one is never delivered.
    for (let hour = 0; hour < 12 * 24; hour += 2) {
      const event = storedEvent(`evt_h${hour}`, at(0, hour));
      on(at(0, hour), event, hour % 3 === 0 ? undefined : { event, from: at(0, hour) });
    }
    on(at(0, 10), storedEvent("evt_fails", at(0, 10)));
    const aside = storedEvent("evt_aside", at(0, 11));
    on(at(0, 11), aside, { event: aside, from: at(0, 11) });
    on(at(1, 10), storedEvent("evt_ahead", at(4, 10)));
    on(at(1, 12), storedEvent("evt_behind", at(0, 6)));
    on(at(1, 14), { ...storedEvent("evt_unparsable", at(1, 14)), data: undefined });
    // Its delivery comes on the second day, after a newer event of its object was listed.
    const [requested, succeeded] = [
      "cpni.verification.requested",
      "cpni.verification.succeeded",
    ] as const;
    const delivered = storedEvent("evt_code", at(1, 2), { code: "493817" }, requested);
    const code = { event: delivered, from: at(2, 10) };
    on(at(1, 2), storedEvent("evt_code", at(1, 2), {}, requested), code);
    on(at(1, 3), storedEvent("evt_after_code", at(1, 3), { id: "object of evt_code" }, succeeded));
    on(at(2, 1), storedEvent("evt_undelivered", at(2, 1), {}, requested));
    on(at(2, 5), storedEvent("evt_before_unknown", at(2, 5)));
    const newer = storedEvent("evt_unknown", at(2, 6), { id: "object of evt_before_unknown" });
    const unknown = { ...newer, type: "subscriber.teleported" };
    on(at(2, 6), unknown, { event: unknown, from: at(2, 6) });
    return happens;
  }

  /** Moves every clock: that of the service, of the program and of the database. */
  async function moveTo(time: number): Promise<void> {
    clock.set(time);
    vi.setSystemTime(clock.now());
    await pool.query("UPDATE virtual.clock SET at = $1", [new Date(time)]);
  }

  /** Runs a program, and returns its lines of errors. */
  async function quietly(program: () => Promise<void>): Promise<string> {
    const lines: string[] = [];
    for (const method of ["log", "warn"] as const)
      vi.spyOn(console, method).mockImplementation(() => {});
    vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)));
    await program().finally(() => vi.restoreAllMocks());
    return lines.join("\n");
  }

  /** Runs the program, and returns its exit code and the events that it names. */
  async function runNight() {
    const named = (await quietly(nightly)).match(/evt_\w+/g) ?? [];
    const code = process.exitCode ?? 0;
    process.exitCode = undefined;
    return { code, named: named.toSorted() };
  }
  const red = (...named: string[]) => ({ code: 1, named });
  const green = { code: 0, named: [] };

  async function emptyTables(): Promise<void> {
    const { rows } = await pool.query<{ names: string }>(
      "SELECT string_agg('virtual.' || tablename, ', ') AS names FROM pg_tables WHERE schemaname = 'virtual' AND tablename <> 'clock'",
    );
    await pool.query(`TRUNCATE ${rows[0]?.names}`);
  }

  test.each<ListOrder>(["oldest_first", "newest_first", "none"])(
    "in eight nights, each event of a list that is %s is handled once, or named until it is deleted",
    async (order) => {
      await emptyTables();
      // The receiver keeps the clock that it finds.
      await moveTo(START);
      service = startEventService(order, 20);
      const { inbox, order: objects, poison } = storage;
      const receive = createReceiver({
        secret: SECRET,
        store: inbox,
        order: objects,
        poison,
        handlers,
        onOutcome: () => {},
        onError: () => {},
      });
      const happens = plan();
      const nights: unknown[] = [];
      for (let time = START; time <= at(12, 3); time += HOUR) {
        await moveTo(time);
        happens.get(time)?.forEach((add) => add());
        await service.deliver(time, receive);
        if (time === REPAIRED) await quietly(runAside);
        if (NIGHTS.some((day) => at(day, 3) === time)) nights.push(await runNight());
        if (time === at(10, 12)) {
          expect.soft(nights).toEqual([
            red("evt_aside"),
            red("evt_aside", "evt_fails"),
            red("evt_aside", "evt_fails", "evt_unparsable"),
            red("evt_unparsable"),
            // After the pause, it is given up, and named until a person deletes its row.
            red("evt_unparsable"),
            red("evt_unparsable"),
          ]);
          await storage.pool.query("DELETE FROM given_up WHERE id = 'evt_unparsable'");
        }
      }
      expect.soft(nights.slice(6)).toEqual([green, green]);

      const { rows } = await storage.pool.query<{ id: string; times: number; code: string | null }>(
        "SELECT event_id AS id, count(*)::int AS times, max(code) AS code FROM effects GROUP BY 1",
      );
      expect.soft(rows.filter(({ times }) => times > 1)).toEqual([]);
      const special = rows.map(({ id }) => id).filter((id) => !/^evt_h\d+$/.test(id));
      expect
        .soft(special.toSorted())
        .toEqual([
          "evt_after_code",
          "evt_ahead",
          "evt_aside",
          "evt_before_unknown",
          "evt_behind",
          "evt_code",
          "evt_fails",
          "evt_undelivered",
        ]);
      expect.soft(rows).toHaveLength(special.length + 12 * 12);
      expect(rows.filter(({ code }) => code !== null)).toMatchObject([
        { id: "evt_code", code: "493817" },
      ]);
    },
    60_000,
  );

  const LOCKED = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1";
  const breakLock = () => pool.query(`SELECT pg_terminate_backend(pid) FROM (${LOCKED}) AS holder`);

  test.each(["another process has it, which dies", "its own connection breaks"])(
    "a run without its lock ends, stores nothing, and the next one loses nothing: %s",
    async (what) => {
      await emptyTables();
      await moveTo(START);
      service = startEventService("newest_first", 20);
      service.add(storedEvent("evt_missed", START));
      const other = new pg.Client({ connectionString: url });
      other.on("error", () => {});
      await other.connect();
      if (what.startsWith("another")) {
        await other.query("SELECT pg_advisory_lock(hashtext('nightly'))");
        await expect(nightly()).rejects.toThrow("Another run is still in progress.");
        await breakLock();
      } else {
        duringRequest = async () => void (await breakLock());
        await expect(quietly(nightly)).rejects.toThrow(/connection/i);
        duringRequest = async () => {};
        await other.end();
      }
      expect((await pool.query("SELECT * FROM virtual.catch_up")).rows).toEqual([]);
      await vi.waitFor(async () => expect((await pool.query(LOCKED)).rows).toEqual([]));
      expect(await runNight()).toEqual(green);
      expect((await pool.query("SELECT * FROM virtual.effects")).rows).toHaveLength(1);
    },
  );
});
