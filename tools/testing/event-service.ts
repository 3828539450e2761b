import { signedRequest, type EventType } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";

export type ListOrder = "oldest_first" | "newest_first" | "none";
/** An event, and when it is first delivered. */
type Delivery = { readonly event: object; readonly from: number };

export const SECRET = "whsec_test_secret_only";
export const HOUR = 3_600_000;
/** How long a service delivers an event again (observed). */
const RETRIES = 46 * HOUR;

/** Returns an event as a service lists it, of an object of its own if `object` has no other id. */
export function storedEvent(
  id: string,
  time: number,
  object: object = {},
  type: EventType = "subscriber.locked",
) {
  const { data, ...others } = sampleEvent(type);
  const all = { ...data.object, code: undefined, id: `object of ${id}`, ...object };
  return { ...others, id, created_at: new Date(time).toISOString(), data: { object: all } };
}

/** Starts a service that lists its events, by `created_at` if newest first, and otherwise as they came, and delivers them. */
export function startEventService(order: ListOrder, pageSize: number) {
  const items: { readonly item: unknown; readonly time: number; readonly place: number }[] = [];
  let undelivered: Delivery[] = [];
  return {
    /** Adds an item to the list, whatever it is. */
    add(item: unknown, delivery?: Delivery): void {
      const { created_at: stamp } = (item ?? {}) as { created_at?: string };
      const time = Date.parse(stamp ?? "");
      // A mixture that is the same at each request.
      const place = (items.length * 7_919) % 10_007;
      items.push({ item, time: Number.isNaN(time) ? (items.at(-1)?.time ?? 0) : time, place });
      if (delivery) undelivered.push(delivery);
    },
    /** Delivers what is due until a receiver accepts it. Call it once an hour. */
    async deliver(now: number, to: (request: Request) => Promise<Response>): Promise<void> {
      for (const delivery of undelivered.filter(({ from }) => from <= now)) {
        const request = { url: "http://127.0.0.1/hooks", secret: SECRET, timestamp: now / 1_000 };
        const { ok } = await to(await signedRequest(delivery.event, request));
        if (ok || delivery.from + RETRIES <= now)
          undelivered = undelivered.filter((each) => each !== delivery);
      }
    },
    /** Returns a page of the list. */
    list(url: string) {
      const sorted = items.toSorted((a, b) =>
        order === "oldest_first" ? 0 : order === "none" ? a.place - b.place : b.time - a.time,
      );
      const { searchParams } = new URL(url, "http://127.0.0.1");
      const from = Number(searchParams.get("cursor") ?? 0);
      const data = sorted.slice(from, from + pageSize).map(({ item }) => item);
      const next = from + pageSize;
      return { data, ...(next < sorted.length && { cursor: String(next) }) };
    },
  };
}
