/**
 * A Map of at most `limit` entries, which forgets the ones that were set longest ago.
 *
 * It has two generations, like quick-lru. Forgetting half of the entries at once costs nothing per entry, while deleting the
 * first entry of a large Map again and again is slow. It therefore keeps at least half of its limit.
 */
export class BoundedMap<Value> {
  readonly #half: number;
  #newer = new Map<string, Value>();
  #older = new Map<string, Value>();

  constructor(limit: number) {
    this.#half = Math.ceil(limit / 2);
  }

  get(key: string): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  set(key: string, value: Value): void {
    this.#newer.set(key, value);
    if (this.#newer.size < this.#half) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }
}
