import { DatabaseSync } from "node:sqlite";
import {
  handleEvent,
  memoryOrder,
  memoryPoison,
  memoryStore,
  noStore,
  type Inbox,
} from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { sqliteStore } from "@fieldmesh/webhook-types/stores";
import type { Build } from "../subject.ts";
import { byHand, catchingUp, idsIn, mail, keepNewest, objectOf, receiver } from "./parts.ts";

/** Receivers that keep every rule, each in a different way. */
export const correct: Readonly<Record<string, Build>> = {
  "a store in memory that dies with its process": (world) =>
    receiver(world, {
      store: memoryStore({ clock: world.clock }),
      handlers: { "sim.*": (event) => mail(world, event) },
    }),
  "a store that outlives its process": (world) =>
    receiver(world, {
      store: world.store(() => memoryStore({ clock: world.clock })),
      handlers: { "sim.*": (event) => mail(world, event) },
    }),
  "no store, and keys": (world) =>
    receiver(world, { store: noStore(), handlers: { "sim.*": (event) => mail(world, event) } }),
  "a store in SQLite": (world) =>
    receiver(world, {
      store: world.store(() => sqliteStore(new DatabaseSync(":memory:"), { clock: world.clock })),
      handlers: { "sim.*": (event) => mail(world, event) },
    }),
  "rows that compare as they are written": (world) =>
    receiver(world, {
      store: noStore(),
      handlers: {
        "sim.*": (event) => world.rows.update(objectOf(event), keepNewest(world, event)),
      },
    }),
  "an order, a store, rows and a mail": (world) =>
    receiver(world, {
      store: world.store(() => memoryStore({ clock: world.clock })),
      order: world.order(() => memoryOrder()),
      handlers: {
        "sim.*": async (event) => {
          await world.rows.update(objectOf(event), keepNewest(world, event));
          await mail(world, event);
        },
      },
    }),
  "two effects with a key each": (world) =>
    receiver(world, {
      store: world.store(() => memoryStore({ clock: world.clock })),
      handlers: {
        "sim.*": async (event, { idempotencyKey }) => {
          await mail(world, event);
          await world.effect("invoice", event, { key: `${idempotencyKey} invoice` });
        },
      },
    }),
  "written by hand: the work, then the mark": (world) =>
    byHand(world, async (event) => {
      if ((await idsIn(world).has(event.id)) || !event.type.startsWith("sim.")) return 200;
      await mail(world, event);
      await idsIn(world).add(event.id);
      return 200;
    }),
  "handleEvent, and an event set aside that keeps failing": (world) => {
    const router = createEventRouter({ "sim.*": (event) => mail(world, event) });
    const store = world.store(() => memoryStore({ clock: world.clock }));
    const poison = {
      store: world.survives("poison", () => memoryPoison({ clock: world.clock })),
      attempts: 20,
    };
    return byHand(world, async (event) => {
      const { outcome } = await handleEvent(event, { router, store, clock: world.clock, poison });
      return ["handled", "duplicate", "superseded"].includes(outcome) ? 200 : 503;
    });
  },
  "an event set aside when it fails once": (world) => {
    const poison = world.survives("poison", () =>
      memoryPoison({ clock: world.clock, payload: "withoutSecrets" }),
    );
    return receiver(world, {
      poison: { store: poison, attempts: 1 },
      handlers: { "sim.*": (event) => mail(world, event) },
    });
  },
  "a catch-up that leaves what only a delivery has to the deliveries": (world) =>
    catchingUp(world, ({ type }) => type !== "sim.activated"),
  "an inbox whose transaction holds the effect": (world) => {
    const database = world.survives("database", () => {
      const opened = new DatabaseSync(":memory:");
      opened.exec("CREATE TABLE done (id TEXT PRIMARY KEY); CREATE TABLE sims (event TEXT)");
      return opened;
    });
    const inbox: Inbox = {
      run: async (id, work) => {
        if (database.prepare("SELECT 1 FROM done WHERE id = ?").get(id) !== undefined)
          return "done";
        if (database.isTransaction) return "in_progress";
        database.exec("BEGIN");
        try {
          await work({ signal: new AbortController().signal, enter: () => {} });
          database.prepare("INSERT INTO done VALUES (?)").run(id);
          database.exec("COMMIT");
          return "committed";
        } catch (error) {
          database.exec("ROLLBACK");
          throw error;
        }
      },
    };
    const receive = receiver(world, {
      store: world.store(() => inbox),
      handlers: {
        "sim.*": async (event) => {
          database.prepare("INSERT INTO sims VALUES (?)").run(event.id);
          await world.rows.get("any");
        },
      },
    });
    const effects = () =>
      database
        .prepare("SELECT event FROM sims")
        .all()
        .map(({ event }) => ({ event: String(event), name: "row" }));
    return { receive, effects };
  },
};
