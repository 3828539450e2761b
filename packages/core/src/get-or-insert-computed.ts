/**
 * Returns the value of a key. On first use, computes the value and stores it.
 *
 * Same as `Map.prototype.getOrInsertComputed` in newer engines.
 */
export function getOrInsertComputed<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  compute: (key: Key) => Value,
): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = compute(key)));
  return value;
}
