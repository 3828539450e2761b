import { watchFor } from "@fieldmesh/core/internal";
import { showEvent } from "../events/show-name.ts";
import type { EventEnvelope } from "../events/envelope.ts";

const SLOW = 60_000;

/** Runs handlers, and names an event whose handlers have not ended after a minute: nothing else would, while others wait for it. */
export async function namingSlow(
  { id, type }: EventEnvelope,
  work: () => Promise<void>,
): Promise<void> {
  const stopWatching = watchFor(SLOW, () => {
    // oxlint-disable-next-line no-console -- a handler that never ends has no outcome that could be reported
    console.warn(
      `The handlers of ${showEvent({ id, type })} have not ended after ${SLOW / 1_000} s. The event is in progress until they do, and an inbox holds a connection for it. Give every wait of a handler a limit.`,
    );
  });
  try {
    await work();
  } finally {
    stopWatching();
  }
}
