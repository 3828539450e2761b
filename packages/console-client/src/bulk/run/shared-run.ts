/** A run that can be iterated, and that reports. It has no `then`, so an async function can return it without starting it. */
export interface SharedRun<Result, Report> extends AsyncIterable<Result> {
  report(): Promise<Report>;
}

/** What a shared run is created from. */
export interface RunParts<Result, Report> {
  /** Yields when there are more results. */
  readonly start: () => AsyncGenerator<void, void, undefined>;
  /** Ends the run soon, whatever the caller's own code is doing. */
  readonly signal: AbortSignal | undefined;
  /** All results so far. */
  readonly results: readonly Result[];
  readonly report: () => Report;
  /** Describes the error that ended the run. */
  readonly describe: (error: unknown) => Promise<unknown>;
  /** Describes a run whose loop was left. */
  readonly describeBreak: () => Promise<unknown>;
}

/** Creates one run for all callers that iterate or await it. The first one starts it, and each of them receives every result. */
export function shareRun<Result, Report>({
  start,
  signal,
  results,
  report,
  describe,
  describeBreak,
}: RunParts<Result, Report>): SharedRun<Result, Report> {
  let end: "complete" | { readonly error: unknown } | undefined;

  const source = (async function* (): AsyncGenerator<void, void, undefined> {
    const running = start();
    try {
      for (;;) {
        const next = running.next();
        const { done } = await (signal === undefined ? next : soonAfterAbort(next, signal));
        if (done === true) break;
        yield;
      }
      end = "complete";
    } catch (error) {
      end = { error: await describe(error) };
    } finally {
      // The caller's input or onCheckpoint may delay the end of an aborted run for any time.
      const ended = running.return();
      if (signal?.aborted === true) ended.catch(() => undefined);
      else await ended;
      end ??= { error: await describeBreak() };
    }
  })();

  /** Adds the next result and returns `true`. Returns `false` at the end. */
  const advance = async (): Promise<boolean> => (await source.next()).done !== true;

  function throwFailure(): void {
    if (typeof end === "object") throw end.error;
  }

  async function* iterate(): AsyncGenerator<Result, void, undefined> {
    let at = 0;
    try {
      for (let more = true; more;) {
        more = await advance();
        // Several, if another loop was ahead.
        const fresh = results.slice(at);
        at += fresh.length;
        yield* fresh;
      }
      throwFailure();
    } finally {
      // Leaving the loop ends the run. After its end, this has no effect.
      await source.return();
    }
  }

  async function drain(): Promise<Report> {
    while (await advance());
    throwFailure();
    return report();
  }

  return { [Symbol.asyncIterator]: iterate, report: drain };
}

/** Milliseconds after an abort in which a run stores its last checkpoint, and tells what became of its requests. */
const ENDING_TIME = 2_000;

/** Settles like the promise, or rejects with the reason of the signal if that takes long after an abort. */
async function soonAfterAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => {
    timer = setTimeout(() => late.reject(signal.reason as Error), ENDING_TIME);
  };
  if (signal.aborted) wait();
  else signal.addEventListener("abort", wait);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    signal.removeEventListener("abort", wait);
    clearTimeout(timer);
  }
}
