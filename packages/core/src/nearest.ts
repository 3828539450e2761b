// Accepts one wrong letter in three. Beyond that, it is another word and not a typing error.
const MAX_EDITS = 3;
const LETTERS_AN_EDIT = 3;

/** Returns the candidate that the user most likely meant, if one is similar enough. */
export function nearest(mistyped: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = Math.min(MAX_EDITS, Math.floor(mistyped.length / LETTERS_AN_EDIT)) + 1;
  for (const candidate of candidates) {
    // The difference in length alone already needs that many edits. This also keeps a very long string cheap.
    if (Math.abs(mistyped.length - candidate.length) >= fewest) continue;
    const edits = editsBetween(mistyped, candidate);
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

/** Returns the Levenshtein distance. Keeps one row of its table at a time. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, char] of a.split("").entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (char === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
