// A walk of a million pages must not keep a million cursors. The loops of running deployments had a few pages. (observed)
const MOST_KEPT = 1_000;

/** Detects a loop of up to 1,000 pages before any is read twice, and longer ones by the algorithm of Brent, in bounded memory. */
export function createLoopCheck() {
  const recent = new Set<string>();
  let mark: string | undefined;
  let untilNextMark = 1;
  let stretch = 1;
  return {
    has: (cursor: string): boolean => cursor === mark || recent.has(cursor),
    add(cursor: string): void {
      recent.add(cursor);
      const [oldest = ""] = recent;
      if (recent.size > MOST_KEPT) recent.delete(oldest);
      if (--untilNextMark > 0) return;
      mark = cursor;
      stretch *= 2;
      untilNextMark = stretch;
    },
  };
}
