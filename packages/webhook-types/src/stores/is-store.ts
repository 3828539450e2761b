import { hasMethod } from "@fieldmesh/core/internal";

/** Whether a value has the methods of an IdempotencyStore or an Inbox. */
export function isStore(value: unknown): boolean {
  return hasMethod(value, "claim") || hasMethod(value, "run");
}
