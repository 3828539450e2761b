import { showEvent } from "../events/show-name.ts";
import type { EventEnvelope } from "../events/envelope.ts";

const SLOW = 60_000;

/** Runs handlers, and names an event whose handlers have not ended after a minute: nothing else would, while others wait for it. */
export async function namingSlow(
  { id, type }: EventEnvelope,
  work: () => Promise<void>,
): Promise<void> {
  const timer = setTimeout(() => {
    // oxlint-disable-next-line no-console -- a handler that never ends has no outcome that could be reported
    console.warn(
      `The handlers of ${showEvent({ id, type })} have not ended after ${SLOW / 1_000} s. They hold their connection, and events that wait for them are delivered again. Give every wait of a handler a limit.`,
    );
  }, SLOW);
  try {
    await work();
  } finally {
    clearTimeout(timer);
  }
}
