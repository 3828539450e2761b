/** Finds a record by its id. Ignores letter case, like a database that stores ids as UUIDs. */
export function byId<T>(records: ReadonlyMap<string, T>, id: string): T | undefined {
  return records.get(id.toLowerCase());
}

export function byName<T extends { readonly name: string }>(
  records: ReadonlyMap<string, T>,
  name: string,
): T | undefined {
  return [...records.values()].find((record) => record.name === name);
}
