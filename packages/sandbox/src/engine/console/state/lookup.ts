/** Ids are compared as a database does that stores them as UUIDs: their case does not matter. */
export function byId<T>(records: ReadonlyMap<string, T>, id: string): T | undefined {
  return records.get(id.toLowerCase());
}

/** Names must match whole. */
export function byName<T extends { readonly name: string }>(
  records: ReadonlyMap<string, T>,
  name: string,
): T | undefined {
  return [...records.values()].find((record) => record.name === name);
}
