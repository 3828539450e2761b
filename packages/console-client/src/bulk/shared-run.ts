import type { CreateManyReport, CreateManyRun, CreateResult } from "./bulk-types.ts";

/** The parts of a run that is shared. */
export interface RunParts {
  readonly start: () => AsyncGenerator<CreateResult, void, undefined>;
  readonly report: (results: readonly CreateResult[]) => CreateManyReport;
  /** Describes the error that ended the run. */
  readonly describe: (error: unknown, results: readonly CreateResult[]) => Promise<unknown>;
  /** Describes a run whose loop was left. */
  readonly describeBreak: (results: readonly CreateResult[]) => Promise<unknown>;
}

/** One run for all that iterate or await it: the first one starts it, and each of them receives every result. */
export function shareRun({ start, report, describe, describeBreak }: RunParts): CreateManyRun {
  const results: CreateResult[] = [];
  let end: "complete" | { readonly error: unknown } | undefined;
  let reporting: Promise<CreateManyReport> | undefined;

  const source = (async function* (): AsyncGenerator<void, void, undefined> {
    try {
      for await (const result of start()) {
        results.push(result);
        yield;
      }
      end = "complete";
    } catch (error) {
      end = { error: await describe(error, results) };
    } finally {
      end ??= { error: await describeBreak(results) };
    }
  })();

  /** Adds the next result and returns `true`, or `false` at the end. */
  async function advance(): Promise<boolean> {
    const { done } = await source.next();
    return done !== true;
  }

  function throwFailure(): void {
    if (typeof end === "object") throw end.error;
  }

  async function* iterate(): AsyncGenerator<CreateResult, void, undefined> {
    let at = 0;
    try {
      for (let more = true; more;) {
        more = await advance();
        // More than one where another loop was ahead.
        const fresh = results.slice(at);
        at += fresh.length;
        yield* fresh;
      }
      throwFailure();
    } finally {
      // Leaving the loop ends the run; after its end this has no effect.
      await source.return();
    }
  }

  async function drain(): Promise<CreateManyReport> {
    while (await advance());
    throwFailure();
    return report(results);
  }

  const run = {
    [Symbol.asyncIterator]: iterate,
    report: () => (reporting ??= drain()),
  };
  return Object.assign(run, {
    // oxlint-disable-next-line unicorn/no-thenable -- so that `await createMany(…)` runs instead of doing nothing
    then: (...handlers: Parameters<CreateManyRun["then"]>) => run.report().then(...handlers),
  }) as CreateManyRun;
}
