const LANES = 8;

/** Works on several items at a time. After an error, starts no further ones. */
export async function inLanes<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += LANES)
    results.push(...(await Promise.all(items.slice(start, start + LANES).map(work))));
  return results;
}
