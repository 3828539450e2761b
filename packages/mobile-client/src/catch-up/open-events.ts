import { timeOfStamp } from "@fieldmesh/core/internal";
import type { OpenEvent } from "./checkpoint.ts";

/** Keeps the events that are not done, those of earlier runs first. None leaves the list without an outcome. */
export function keepOpen(before: readonly OpenEvent[], now: number) {
  const open = new Map(before.map((event) => [event.id, event]));
  const earlier = new Map(open);
  const met = new Set<string>();
  const hasEnded = ({ until }: OpenEvent): boolean => timeOfStamp(until) <= now;
  return {
    /** The event as an earlier run has left it open. */
    earlier: (id: string): OpenEvent | undefined => earlier.get(id),
    /** Those that this run reads again, wherever they are. One that was not parsed, or still waits, holds no place. */
    again: before.filter(
      (event) => event.reason === "failed" || (event.reason === "waiting" && hasEnded(event)),
    ),
    /** Notes that an event is done. */
    close(id: string): void {
      met.add(id);
      open.delete(id);
    },
    /** Notes that an event is not done. Returns whether this run has met it for the first time. */
    keep(event: OpenEvent): boolean {
      const isFirst = !met.has(event.id);
      met.add(event.id);
      open.set(event.id, event);
      return isFirst;
    },
    /** Removes those whose deliveries have ended, and that the list no longer contains. */
    takeGone(): OpenEvent[] {
      const gone = [...open.values()].filter((event) => !met.has(event.id) && hasEnded(event));
      for (const { id } of gone) open.delete(id);
      return gone;
    },
    list: (): readonly OpenEvent[] => [...open.values()],
  };
}
