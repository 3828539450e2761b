import type { EventEnvelope } from "@fieldmesh/webhook-types";
import {
  memoryOrder,
  memoryStore,
  noStore,
  type Receiver,
} from "@fieldmesh/webhook-types/receiver";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import type { Build } from "../subject.ts";
import type { World } from "../world.ts";
import {
  byHand,
  catchingUp,
  countedTime,
  idsIn,
  mail,
  keepNewest,
  objectOf,
  receiver,
} from "./parts.ts";

const KNOWN: ReadonlySet<string> = new Set(["sim.activated", "sim.suspended"]);

/** Two events with the same key are one for it. */
function dropping(world: World, keyOf: (event: EventEnvelope) => string): Receiver {
  const done = world.survives("done", () => new Set<string>());
  return receiver(world, {
    handlers: {
      "sim.*": async (event) => {
        if (done.has(keyOf(event))) return;
        await mail(world, event);
        done.add(keyOf(event));
      },
    },
  });
}

/** Receivers with common mistakes, by name. They use only the public API. */
export const planted: Readonly<Record<string, Build>> = {
  "claims the event before the work": (world) =>
    byHand(world, async (event) => {
      if (await idsIn(world).has(event.id)) return 200;
      await idsIn(world).add(event.id);
      await mail(world, event);
      return 200;
    }),
  "overwrites the state with the last delivery": (world) =>
    receiver(world, { handlers: { "sim.*": (event) => world.rows.set(objectOf(event), event) } }),
  "swallows an error of the work": (world) =>
    receiver(world, { handlers: { "sim.*": (event) => mail(world, event).catch(() => {}) } }),
  "responds first and works afterwards": (world) =>
    byHand(world, async (event) => {
      mail(world, event).catch(() => {});
      return 200;
    }),
  "sends the mail without a key": (world) =>
    receiver(world, { handlers: { "sim.*": (event) => world.effect("mail", event) } }),
  "drops an event of the same second": (world) => {
    const newest = world.survives("newest", () => new Map<string, string>());
    return byHand(world, async (event) => {
      if (event.type.startsWith("sim.") && event.created_at <= (newest.get(objectOf(event)) ?? ""))
        return 200;
      await mail(world, event);
      newest.set(objectOf(event), event.created_at);
      return 200;
    });
  },
  "reads the secret once": (world) => {
    const [secret = ""] = world.secrets();
    return byHand(world, async (event) => mail(world, event).then(() => 200), {
      secret: world.survives("secret", () => secret),
    });
  },
  "tolerates five seconds of skew": (world) =>
    byHand(world, async (event) => mail(world, event).then(() => 200), { tolerance: 5 }),
  "fails for a type that it does not know": (world) =>
    receiver(world, {
      handlers: {
        "sim.*": (event) => mail(world, event),
        otherwise: ({ type }) => {
          throw new Error(`no handler for ${type}`);
        },
      },
    }),
  "verifies nothing": (world) => async (request) => {
    const event = parseEvent(await request.text());
    return mail(world, event).then(
      () => new Response(),
      () => new Response(null, { status: 500 }),
    );
  },
  "compares, and writes a moment later": (world) =>
    receiver(world, {
      store: noStore(),
      handlers: {
        "sim.*": async (event) => {
          const keep = keepNewest(world, event);
          const shown = await world.rows.get(objectOf(event));
          await world.rows.set(objectOf(event), keep(shown));
        },
      },
    }),
  "treats two events of one object as one": (world) =>
    byHand(world, async (event) => {
      if (!event.type.startsWith("sim.")) return 200;
      if (await idsIn(world).has(objectOf(event))) return 200;
      await mail(world, event);
      await idsIn(world).add(objectOf(event));
      return 200;
    }),
  "uses the type as the idempotency key": (world) =>
    receiver(world, {
      handlers: { "sim.*": (event) => world.effect("mail", event, { key: event.type }) },
    }),
  "makes a new key for each attempt": (world) =>
    receiver(world, {
      handlers: {
        "sim.*": (event, { attempt }) =>
          world.effect("mail", event, { key: `${event.id} ${attempt}` }),
      },
    }),
  "remembers in memory what is done": (world) => {
    const done = new Set<string>();
    return byHand(world, async (event) => {
      if (done.has(event.id)) return 200;
      done.add(event.id);
      try {
        await world.effect("mail", event);
        return 200;
      } catch {
        done.delete(event.id);
        return 500;
      }
    });
  },
  "checks whether the event is done, and marks it a moment later": (world) =>
    byHand(world, async (event) => {
      if (await idsIn(world).has(event.id)) return 200;
      await world.effect("mail", event);
      await idsIn(world).add(event.id);
      return 200;
    }),
  "accepts an event that another delivery is handling": (world) => {
    const busy = new Set<string>();
    return byHand(world, async (event) => {
      if (busy.has(event.id)) return 200;
      busy.add(event.id);
      try {
        await mail(world, event);
        return 200;
      } finally {
        busy.delete(event.id);
      }
    });
  },
  "accepts when its store is down": (world) => {
    const store = world.store(() => memoryStore({ clock: world.clock }));
    return byHand(world, async (event) => {
      const claim = await store.claim(event.id, "one", 30_000).catch(() => undefined);
      if (claim?.status !== "claimed") return 200;
      await mail(world, event);
      await store.complete(event.id, "one");
      return 200;
    });
  },
  "marks it as done between two effects": (world) =>
    byHand(world, async (event) => {
      if (await idsIn(world).has(event.id)) return 200;
      await mail(world, event);
      await idsIn(world).add(event.id);
      await world.effect("invoice", event, { key: event.id });
      return 200;
    }),
  "marks a failed event as done": (world) =>
    byHand(world, async (event) => {
      if (await idsIn(world).has(event.id)) return 200;
      try {
        await mail(world, event);
        return 200;
      } finally {
        await idsIn(world).add(event.id);
      }
    }),
  "keeps the first state that it sees": (world) =>
    receiver(world, {
      handlers: {
        "sim.*": (event) => world.rows.update(objectOf(event), (shown) => shown ?? event),
      },
    }),
  "does nothing at a second attempt": (world) =>
    receiver(world, {
      handlers: {
        "sim.*": async (event, { attempt }) => {
          if (attempt === 1) await mail(world, event);
        },
      },
    }),
  "drops duplicates by type, object and time": (world) =>
    dropping(world, (event) => `${event.type} ${objectOf(event)} ${event.created_at}`),
  "drops duplicates by object and time": (world) =>
    dropping(world, (event) => `${objectOf(event)} ${event.created_at}`),
  "uses the object and the time as the idempotency key": (world) =>
    receiver(world, {
      handlers: {
        "sim.*": (event) =>
          world.effect("mail", event, { key: `${objectOf(event)} ${event.created_at}` }),
      },
    }),
  "lets a date from the future freeze a row": (world) =>
    receiver(world, {
      handlers: {
        "sim.*": (event) =>
          world.rows.update(objectOf(event), (shown) =>
            shown === undefined || shown.created_at <= event.created_at ? event : shown,
          ),
      },
    }),
  "fails for a date that it cannot read": (world) =>
    receiver(world, {
      handlers: {
        "sim.*": async (event) => {
          new Date(event.created_at).toISOString();
          await mail(world, event);
        },
      },
    }),
  "lets an event of an unknown type make others outdated": (world) => {
    const newest = world.survives("newest", () => new Map<string, number>());
    return byHand(world, async (event) => {
      const [object, time] = [objectOf(event), countedTime(world, event)];
      if (time < (newest.get(object) ?? 0)) return 200;
      if (KNOWN.has(event.type)) await mail(world, event);
      newest.set(object, Math.max(time, newest.get(object) ?? 0));
      return 200;
    });
  },
  "takes a code away in its catch-up": (world) => catchingUp(world, () => true),
  "trusts an order alone for its rows": (world) =>
    receiver(world, {
      // With an inbox and an order of one database, it would be correct.
      store: world.survives("leases", () => memoryStore({ clock: world.clock })),
      order: world.order(() => memoryOrder()),
      handlers: { "sim.*": (event) => world.rows.set(objectOf(event), event) },
    }),
};
