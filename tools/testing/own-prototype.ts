import { isRecord } from "@fieldmesh/core/internal";
import { expect } from "vitest";

// JSON may have a field named __proto__. A copy of such a record with Object.assign changes the prototype of the copy.

/** Returns JSON with the field in each of its records. */
export function poisoned(value: unknown): string {
  return JSON.stringify(value, (key, child: unknown) =>
    isRecord(child) && key !== "__proto__" ? { ["__proto__"]: { isAdmin: true }, ...child } : child,
  );
}

/** Returns every object in a value. */
export function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

/** Expects that no record in a value has the field, as its own or by a copy. */
export function expectClean(value: unknown): void {
  const objects = objectsIn(value);
  expect(objects.filter((object) => Object.hasOwn(object, "__proto__"))).toEqual([]);
  expect(objects.filter((object) => "isAdmin" in Object.assign({}, object))).toEqual([]);
}
