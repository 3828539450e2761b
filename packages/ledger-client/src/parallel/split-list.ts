import type { SendOptions } from "../options/call-options.ts";
import type { BoundRow } from "../request/request.ts";
import { readWalkSettings, type PagerOptions } from "./pager-options.ts";
import type { SplitList } from "./parallel/plan.ts";
import { createSource, startWalk, type Input, type PageSender } from "./source.ts";

/** Creates what a walk in parallel needs from a call: its query, and walks of the same list between other times. */
export function splitList<T>(
  bound: BoundRow,
  sender: PageSender,
  input: Input,
  options: SendOptions & PagerOptions,
): SplitList<T> {
  const source = createSource<T>(bound, sender, input, options);
  const settings = readWalkSettings(source.facts, options);
  return {
    ...source,
    settings,
    open(times, place) {
      const { query } = options;
      const inInput = Object.entries(times).filter(([name]) => name in bound.row.query);
      const inQuery = Object.entries(times).filter(([name]) => !(name in bound.row.query));
      const part = createSource<T>(
        bound,
        sender,
        { ...input, ...Object.fromEntries(inInput) },
        { ...options, query: { ...query, ...Object.fromEntries(inQuery) } },
        source.facts,
      );
      const identity = part.identify();
      return startWalk(
        part,
        identity,
        { ...settings, checkpoint: undefined, maxItems: Infinity, prefetch: 0 },
        place && { version: 1, ...identity, ...place },
      );
    },
  };
}
