import { getOrInsertComputed, printOnceAMinute } from "@fieldmesh/core/internal";
import type { EventEnvelope } from "../events/envelope.ts";
import { showEvent } from "../events/show-name.ts";
import { BoundedMap } from "../stores/bounded-map.ts";
import type { ObjectOrder } from "../stores/object-order.ts";

/** Names an event whose date is wrong: once, however often it is delivered again, and one event a minute. */
export function warnOfDate(order: ObjectOrder, event: EventEnvelope, problem: string): void {
  const { named, print } = getOrInsertComputed(warned, order, () => ({
    named: new BoundedMap<true>(MOST_NAMED),
    // oxlint-disable-next-line no-console -- the event is handled, so that no outcome shows it
    print: printOnceAMinute((...lines) => console.warn(...lines)),
  }));
  if (named.get(event.id)) return;
  named.set(event.id, true);
  print(
    "date",
    `created_at of ${showEvent(event)} ${problem}. Check the clock of this machine. If it is right, report the event to the service, and read its object from the API.`,
  );
}

const MOST_NAMED = 1_000;
const warned = /* @__PURE__ */ new WeakMap<
  ObjectOrder,
  { named: BoundedMap<true>; print: ReturnType<typeof printOnceAMinute> }
>();
