import { withChecksum, readInput } from "@fieldmesh/core/internal";
import type { PartsByTime, WalkIterator } from "@fieldmesh/http/internal";
import { iterate } from "@fieldmesh/http/internal/pager";
import type { ParallelCheckpoint } from "./checkpoint.ts";
import type { ParallelOptions } from "./options.ts";
import { readPlan, type Plan, type SplitList } from "./plan.ts";
import type { Run } from "./run.ts";

/** Starts a walk in parallel lanes. It loads the lanes, and sends the first request, with the first `next()`. */
export function walkInParallel<T>(
  list: SplitList<T>,
  parts: PartsByTime,
  options: ParallelOptions = {},
): WalkIterator<T, ParallelCheckpoint> {
  return readInput(`The argument of ${list.context.call}.parallel`, () => {
    const walk = createWalk(readPlan(list, parts, options));
    return iterate(walkInParallel, list, () => walk, walk);
  });
}

function createWalk<T>(plan: Plan<T>) {
  let run: Run<T> | undefined;
  let isClosed = false;
  return {
    takeNow: () => run?.take(),
    async readMore(): Promise<boolean> {
      if (run === undefined) {
        const { createRun } = await import("./run.ts");
        if (isClosed) return false;
        run = createRun(plan);
      }
      return await run.readMore();
    },
    checkpoint(): ParallelCheckpoint {
      const { identity, range } = plan;
      const { given, parts } = run?.place() ?? { given: 0, parts: plan.parts };
      const place = {
        range: { min: range.min, max: range.max },
        items: plan.given + given,
        parts,
      };
      return withChecksum({ version: 1, kind: "parallel", ...identity, ...place } as const);
    },
    repeated: () => run?.repeated() ?? 0,
    close(): void {
      isClosed = true;
      run?.close();
    },
  };
}
