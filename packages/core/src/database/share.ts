import { watchFor, within } from "../within.ts";
import { type Driver, LONGEST_WAIT } from "./port.ts";

/** The connections of one client that work holds for long. */
interface Share {
  held: number;
  readonly waiting: (() => void)[];
  isReported: boolean;
}

/** Weak, so that a client is released with its program. */
const shares = new WeakMap<object, Share>();

const REPORT_AFTER = 5_000;
const NONE_FREE =
  "All connections that events may use were held for 9 s, and this one got no connection. Check for slow handlers, and pass a pool with more connections than events in progress.";

/** Runs work that holds a connection of a client for long, such as handlers: not more at a time than the driver allows. */
export async function inShare<T>(
  driver: Pick<Driver<never, unknown>, "client" | "most" | "waiting">,
  work: () => Promise<T>,
): Promise<T> {
  const { client, most = Number.POSITIVE_INFINITY } = driver;
  const share = shares.get(client) ?? { held: 0, waiting: [], isReported: false };
  shares.set(client, share);
  if (share.held < most) share.held += 1;
  else await takeTurn(share);
  const stopWatching = watchFor(REPORT_AFTER, () => report(driver, share, most));
  try {
    return await work();
  } finally {
    stopWatching();
    const next = share.waiting.shift();
    if (next === undefined) share.held -= 1;
    else next();
  }
}

async function takeTurn(share: Share): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  share.waiting.push(resolve);
  try {
    await within(LONGEST_WAIT, () => promise, NONE_FREE);
  } catch (error) {
    share.waiting.splice(share.waiting.indexOf(resolve), 1);
    throw error;
  }
}

/** Says once what stops the events of a client, because no error would. */
function report(driver: { waiting?(): number }, share: Share, most: number): void {
  const isStuck = share.waiting.length > 0 || (driver.waiting?.() ?? 0) > 0;
  if (share.isReported || share.held < most || !isStuck) return;
  share.isReported = true;
  // oxlint-disable-next-line no-console -- handlers that wait for each other would stop all events, and no error would say why
  console.warn(
    `Events have held all ${most} connections that they may use for ${REPORT_AFTER / 1_000} s, and others wait. Handlers must query inbox.transaction(context), and not the pool of the inbox. Otherwise set max of the pool to more than the events in progress.`,
  );
}
