// A walk of a million pages must not keep a million cursors. The loops of running deployments had a few pages. (observed)
const MOST_KEPT = 1_000;

/**
 * Detects that a walk returns to a cursor, in bounded memory. It detects a loop of up to 1,000 pages before any page is read
 * twice. Longer loops are detected by the algorithm of Brent, which keeps one cursor and replaces it after 1, 2, 4, 8 … pages: at
 * the latest after three times the pages up to the end of the first round.
 */
export function createLoopCheck() {
  const recent = new Set<string>();
  let mark: string | undefined;
  let untilNextMark = 1;
  let stretch = 1;
  return {
    has: (cursor: string): boolean => cursor === mark || recent.has(cursor),
    add(cursor: string): void {
      recent.add(cursor);
      // Stryker disable next-line StringLiteral: One was added just before; the default is for the compiler.
      const [oldest = ""] = recent;
      if (recent.size > MOST_KEPT) recent.delete(oldest);
      if (--untilNextMark > 0) return;
      mark = cursor;
      stretch *= 2;
      untilNextMark = stretch;
    },
  };
}
