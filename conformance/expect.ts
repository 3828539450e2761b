// Runs on every runtime, so it needs none of them.
import { stringifyJson } from "@fieldmesh/core";

/** Throws unless two values are the same JSON. */
export function expectSame(got: unknown, expected: unknown): void {
  const [its, wanted] = [got, expected].map((value) => stringifyJson(sorted(value)));
  if (its !== wanted)
    throw new Error(`got ${its?.slice(0, 300)} instead of ${wanted?.slice(0, 300)}`);
}

/** Returns the error that a promise rejects with. Throws if it does not reject. */
export async function rejection(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error("it should have failed");
}

/** Sorts fields, because their order has no meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]),
  );
}
