import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import {
  catchUp,
  createMobileClient,
  isApiError,
  type CatchUpCheckpoint,
} from "@fieldmesh/mobile-client";
import type { EventType } from "@fieldmesh/webhook-types";
import { createReceiver } from "@fieldmesh/webhook-types/receiver";
import { createEventRouter, type EventHandlers } from "@fieldmesh/webhook-types/router";
import { sqliteInbox, sqliteOrder } from "@fieldmesh/webhook-types/stores";
import { HOUR, SECRET, startEventService, storedEvent } from "../../tools/testing/event-service.ts";
import { createChance } from "../parts/chance.ts";

const DAY = 24 * HOUR;
const START = Date.parse("2026-11-01T00:00:00Z");
/** The days with faults end, and those in which all that is left must end. */
const [CALM, END] = [START + 10 * DAY, START + 18 * DAY];
/** The nights that a pause is shorter than the memory of the store: see "A pause" in the guide "Catching up". */
const MARGIN = 4;
const ORDERS = ["oldest_first", "newest_first", "none"] as const;
const quiet = () => {};

/** How an event must end. */
type Ending = "handled once" | "handled once, with its code" | "given up" | "ignored";

/**
 * Plays days of deliveries and nights of catch-up in a virtual time, with wrong dates, unknown types, items that are not events,
 * codes, faults, and a job that is paused. Returns what was lost, doubled or not reported. A seed always plays the same days.
 */
export async function playNights(seed: number): Promise<string[]> {
  const chance = createChance(seed);
  const order = ORDERS[chance.int(0, 2)] ?? "none";
  const service = startEventService(order, chance.int(3, 40));
  let time = START;
  const oneIn = (cases: number) => time < CALM && chance.int(1, cases) === 1;
  // No wait ends in a time that does not move.
  const clock = { now: () => time, sleep: () => new Promise<void>(() => {}) };

  using database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE effects (id TEXT, code TEXT)");
  const remembers = chance.int(7, 12);
  const retention = remembers * DAY;
  const store = sqliteInbox(database, { clock, retention });
  const objects = sqliteOrder(database, { clock, retention });
  const handle: NonNullable<EventHandlers["*"]> = ({ id, data }, context) => {
    if (oneIn(6)) throw new Error("of the handler");
    const { code } = data.object as { code?: { reveal: () => string } };
    const effects = store.transaction(context).prepare("INSERT INTO effects VALUES (?, ?)");
    effects.run(id, code?.reveal() ?? null);
  };
  const handlers: EventHandlers = { "subscriber.*": handle, "cpni.verification.*": handle };
  const handling = { store, order: objects, clock };
  const receive = createReceiver({
    ...handling,
    secret: SECRET,
    handlers,
    onOutcome: quiet,
    onError: quiet,
  });

  const endings = new Map<string, Ending>();
  const hours = (most: number) => chance.int(1, most) * HOUR;
  const event = (created = time, object: object = {}, type?: EventType) =>
    storedEvent(`evt_${endings.size}`, created, object, type);
  /** The object of the event before. */
  const same = () => ({ id: `object of evt_${endings.size - 1}` });
  /** Each adds what happens, and returns how it must end. */
  const kinds: readonly (() => Ending)[] = [
    function isMissed() {
      service.add(event());
      return "handled once";
    },
    function isDelivered() {
      service.add(event(), { event: event(), from: time + hours(3) });
      return "handled once";
    },
    function isAhead() {
      service.add(event(time + hours(240)));
      return "handled once";
    },
    function isBehind() {
      service.add(event(time - hours(40)));
      return "handled once";
    },
    function isUnknown() {
      const unknown = { ...event(time, same()), type: "subscriber.teleported" };
      service.add(unknown, { event: unknown, from: time });
      return "ignored";
    },
    function isUnparsable() {
      service.add({ ...event(), data: null });
      return "given up";
    },
    function hasCode() {
      const type = "cpni.verification.requested";
      const delivered = event(time, { code: "493817" }, type);
      const isLost = chance.int(1, 3) === 1;
      const delivery = { event: delivered, from: time + hours(20) };
      service.add(event(time, {}, type), isLost ? undefined : delivery);
      return isLost ? "handled once" : "handled once, with its code";
    },
    function followsCode() {
      service.add(event(time, same(), "cpni.verification.succeeded"));
      return "handled once";
    },
  ];

  const wrong: string[] = [];
  const givenUp = new Set<string>();
  let checkpoint: CatchUpCheckpoint | undefined;
  /** Runs the job. Returns whether it was complete. */
  async function runNight(): Promise<boolean> {
    const client = createMobileClient({
      baseUrl: "http://127.0.0.1",
      apiKey: "sk_sandbox_12345678",
      retry: false,
      fetch: async (url) =>
        oneIn(20) ? new Response("", { status: 503 }) : Response.json(service.list(url)),
    });
    try {
      const totals = await catchUp({
        ...handling,
        client,
        since: new Date(time - store.remembers),
        router: createEventRouter(handlers),
        checkpoint,
        onCheckpoint: (next) => {
          if (oneIn(10)) throw new Error("of the checkpoint");
          checkpoint = JSON.parse(JSON.stringify(next)) as CatchUpCheckpoint;
        },
      });
      for (const { id } of totals.givenUp) givenUp.add(id);
      await store.cleanUp();
      await objects.cleanUp();
      return true;
    } catch (error) {
      const { message } = error as Error;
      const isPlanned = isApiError(error, 503) || message === "of the checkpoint";
      if (!isPlanned) wrong.push(`a night ended with ${message}`);
      return !isPlanned;
    }
  }

  let paused = 0;
  for (; time < END; time += HOUR) {
    for (let count = time < CALM ? chance.int(0, 2) : 0; count > 0; count--) {
      const happen = kinds[chance.int(0, kinds.length - 1)];
      if (happen) endings.set(`evt_${endings.size}`, happen());
    }
    await service.deliver(time, receive);
    // The soak has other lanes.
    await setImmediate();
    if (time % DAY !== 3 * HOUR) continue;
    // Its scheduler runs a failed job again.
    if (paused === 0) while (!(await runNight())) continue;
    paused = paused > 0 ? paused - 1 : oneIn(4) ? chance.int(1, remembers - MARGIN) : 0;
  }

  const effects = database.prepare("SELECT id, code FROM effects").all();
  for (const [id, ending] of endings) {
    const codes = effects.filter((effect) => effect["id"] === id).map(({ code }) => code);
    const handled = codes.length === 1 ? "handled once" : `handled ${codes.length} times`;
    const ended = [
      ...(codes.length > 0 ? [codes[0] === null ? handled : `${handled}, with its code`] : []),
      ...(givenUp.has(id) ? ["given up"] : []),
    ].join(", and ");
    if ((ended || "ignored") !== ending)
      wrong.push(`${id} was ${ended || "ignored"}, not ${ending}`);
  }
  return wrong.map((what) => `${what} (night seed ${seed}, a list that is ${order})`);
}
