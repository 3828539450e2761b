import { watchFor, within } from "../within.ts";
import { type Driver, LONGEST_WAIT } from "./port.ts";

const REPORT_AFTER = 5_000;
const NONE_FREE =
  "All connections that events may use were held for 9 s, and this one got no connection. Check for slow handlers, and pass a pool with more connections than events in progress.";

/** Returns the function that runs work which holds a connection for long, such as handlers: not more at a time than a driver allows. */
export function createShare({
  most = Number.POSITIVE_INFINITY,
  waiting: queriesWaiting,
}: Pick<Driver<never, unknown>, "most" | "waiting">) {
  let held = 0;
  const waiting: (() => void)[] = [];
  let isReported = false;

  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) held -= 1;
    else next();
  };

  const takeTurn = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    try {
      await within(LONGEST_WAIT, () => promise, NONE_FREE);
    } catch (error) {
      const at = waiting.indexOf(resolve);
      // Its turn may have come at the same moment.
      if (at === -1) leave();
      else waiting.splice(at, 1);
      throw error;
    }
  };

  /** Says once what stops the events of a client, because no error would. */
  const report = (): void => {
    const isStuck = waiting.length > 0 || (queriesWaiting?.() ?? 0) > 0;
    if (isReported || held < most || !isStuck) return;
    isReported = true;
    // oxlint-disable-next-line no-console -- handlers that wait for each other would stop all events, and no error would say why
    console.warn(
      `Events have held all ${most} connections that they may use for ${REPORT_AFTER / 1_000} s, and others wait. Handlers must query inbox.transaction(context), and not the pool of the inbox. Otherwise set max of the pool to more than the events in progress.`,
    );
  };

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (held < most) held += 1;
    else await takeTurn();
    const stopWatching = watchFor(REPORT_AFTER, report);
    try {
      return await work();
    } finally {
      stopWatching();
      leave();
    }
  };
}
