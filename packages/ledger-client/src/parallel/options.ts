import { anything, options, recordOf } from "@fieldmesh/core/internal";
import { checkCount, inputProblem } from "@fieldmesh/http/internal";
import type { ParallelCheckpoint } from "./checkpoint.ts";

/** Options of a walk in parallel lanes. */
export interface ParallelOptions {
  /**
   * The number of parallel requests, from 1 to 64.
   *
   * @default 4 - more is faster until the service slows down, or the rate limit is used up
   */
  lanes?: number | undefined;
  /**
   * `"arrival"` returns each item as soon as it is read, with two pages of each lane in memory. `"list"` returns them in the
   * order of the list, and reads parts ahead, with at most 32 pages for each lane.
   *
   * @default "arrival"
   */
  order?: "arrival" | "list" | undefined;
  /** The parameters of the first and the last time, if the spec does not name them. Pass their values in the option `query` of the call. */
  by?:
    | {
        /** The name of the parameter of the first time, such as `min_time`. */
        readonly min: string;
        /** The name of the parameter of the last time, such as `max_time`. */
        readonly max: string;
      }
    | undefined;
  /** Resumes after the items that an earlier walk of the same call returned. The number of lanes and the order may differ. */
  checkpoint?: ParallelCheckpoint | undefined;
}

/** The options with every default filled in. */
export interface ParallelSettings extends Pick<ParallelOptions, "by" | "checkpoint"> {
  readonly lanes: number;
  readonly order: "arrival" | "list";
}

type Context = { readonly call: string; readonly route: string };

const DEFAULT_LANES = 4;
const MOST_LANES = 64;

/** Fills in the defaults. Throws an InputError for an invalid option. */
export function readParallelOptions(context: Context, given: ParallelOptions): ParallelSettings {
  const readOptions = options<ParallelOptions>(`${context.call}.parallel`, {
    lanes: (value) => checkCount(context, "lanes", value, [1, MOST_LANES]),
    order(value) {
      if (value === "arrival" || value === "list") return value;
      throw inputProblem(context, "options.order", 'must be "arrival" or "list"');
    },
    by(value) {
      const { min, max } = recordOf(value);
      if (isName(min) && isName(max) && min !== max) return { min, max };
      throw inputProblem(
        context,
        "options.by",
        'must name two parameters, such as { min: "min_time", max: "max_time" }',
      );
    },
    checkpoint: anything,
  });
  const { lanes = DEFAULT_LANES, order = "arrival", by, checkpoint } = readOptions(given);
  return { lanes, order, by, checkpoint };
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
