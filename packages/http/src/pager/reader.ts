import { ENDED } from "@fieldmesh/core/internal";
import { outlast } from "../send/keep-trying.ts";
import type { Page } from "./page.ts";

/** Creates a reader of pages, one at a time, and of the next page early on request. The caller's signal ends all its reads. */
export function createReader<T>(source: {
  readonly fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;
  readonly signal: AbortSignal | undefined;
  readonly keepTrying: number;
}) {
  const { fetchPage, signal, keepTrying } = source;
  let ahead: Promise<Page<T>> | undefined;
  let inFlight: AbortController | undefined;

  async function fetch(cursor: string | undefined): Promise<Page<T>> {
    const controller = (inFlight = new AbortController());
    const abort = (): void => controller.abort(signal?.reason);
    if (signal?.aborted === true) abort();
    // Only while the request lasts: a long-lived signal must not keep an abandoned walk alive.
    signal?.addEventListener("abort", abort);
    try {
      const patience = { keepTrying, signal: controller.signal };
      return await outlast(() => fetchPage(cursor, controller.signal), patience);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  return {
    async read(cursor: string | undefined): Promise<Page<T>> {
      const page = ahead ?? fetch(cursor);
      ahead = undefined;
      return await page;
    },
    /** Starts to read the page of the next `read`. That throws its failure, and a second call of `read` then retries. */
    prefetch(cursor: string | undefined): void {
      ahead = fetch(cursor);
      // The page may never be requested.
      ahead.catch(() => undefined);
    },
    /** Cancels all requests in progress. */
    close: (): void => inFlight?.abort(ENDED),
  };
}
