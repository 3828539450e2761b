import { untilAborted } from "@fieldmesh/http/internal";

/** A run that can be iterated, and that reports. It has no `then`, so an async function can return it without starting it. */
export interface SharedRun<Result, Report> extends AsyncIterable<Result> {
  report(): Promise<Report>;
}

/** What a shared run is created from. */
export interface RunParts<Result, Report> {
  readonly start: () => AsyncGenerator<Result, void, undefined>;
  /** Ends the run immediately, whatever the caller's own code is doing. */
  readonly signal: AbortSignal | undefined;
  readonly report: (results: readonly Result[]) => Report;
  /** Describes the error that ended the run. */
  readonly describe: (error: unknown, results: readonly Result[]) => Promise<unknown>;
  /** Describes a run whose loop was left. */
  readonly describeBreak: (results: readonly Result[]) => Promise<unknown>;
}

/** Creates one run for all callers that iterate or await it. The first one starts it, and each of them receives every result. */
export function shareRun<Result, Report>({
  start,
  signal,
  report,
  describe,
  describeBreak,
}: RunParts<Result, Report>): SharedRun<Result, Report> {
  const results: Result[] = [];
  let end: "complete" | { readonly error: unknown } | undefined;

  const source = (async function* (): AsyncGenerator<void, void, undefined> {
    const running = start();
    try {
      for (;;) {
        const next = running.next();
        const { done, value } = await (signal === undefined ? next : untilAborted(next, signal));
        if (done === true) break;
        results.push(value);
        yield;
      }
      end = "complete";
    } catch (error) {
      end = { error: await describe(error, results) };
    } finally {
      // The caller's input or onCheckpoint may delay the end of an aborted run for any time.
      const ended = running.return();
      if (signal?.aborted === true) ended.catch(() => undefined);
      else await ended;
      end ??= { error: await describeBreak(results) };
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
    return report(results);
  }

  return { [Symbol.asyncIterator]: iterate, report: drain };
}
