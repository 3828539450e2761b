import { mistake } from "@fieldmesh/core/internal";

/** Checks how much is remembered in memory. It may be `Infinity`. */
export function readLimit(limit: unknown, name: string, owner: string): number {
  if (typeof limit === "number" && limit >= 1) return limit;
  throw mistake(`${owner}: ${name} must be 1 or more.`);
}

/**
 * Keeps the last entries that were set, at least `limit` and at most twice as many, in two generations like quick-lru: deleting the
 * first entry of a large Map again and again is slow.
 */
export class BoundedMap<Value> {
  readonly #limit: number;
  #newer = new Map<string, Value>();
  #older = new Map<string, Value>();

  constructor(limit: number) {
    this.#limit = Math.ceil(limit);
  }

  get(key: string): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  set(key: string, value: Value): void {
    this.#newer.set(key, value);
    if (this.#newer.size < this.#limit) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }
}
