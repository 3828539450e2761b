import { recordOf } from "@fieldmesh/core/internal";

/** Returns true for a value that can be an event, whichever parser has created it. */
export function isEvent(value: unknown): boolean {
  try {
    const { id, type } = recordOf(value);
    return typeof id === "string" && id !== "" && typeof type === "string";
  } catch {
    // A getter or a proxy throws.
    return false;
  }
}
