import {
  createSource,
  readWalkSettings,
  startWalk,
  type PagerCall,
} from "@fieldmesh/http/internal/pager";
import type { SplitList } from "./plan.ts";

/** Creates what a walk in parallel needs from a call: its query, and walks of the same list between other times. */
export function splitList<T>(call: PagerCall): SplitList<T> {
  const { endpoint, input, options = {} } = call;
  const source = createSource<T>(call);
  const settings = readWalkSettings(source.context, options);
  return {
    ...source,
    settings,
    open(times, place) {
      const { query } = options;
      const inInput = Object.entries(times).filter(([name]) => name in endpoint.row.query);
      const inQuery = Object.entries(times).filter(([name]) => !(name in endpoint.row.query));
      const part = createSource<T>(
        {
          ...call,
          input: { ...input, ...Object.fromEntries(inInput) },
          options: { ...options, query: { ...query, ...Object.fromEntries(inQuery) } },
        },
        source.context,
      );
      const identity = part.identify();
      return startWalk(
        part,
        identity,
        { ...settings, checkpoint: undefined, maxItems: Infinity, prefetch: 0 },
        place,
      );
    },
  };
}
