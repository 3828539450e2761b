import { hasMethod } from "@fieldmesh/core";

/** Whether it has what an IdempotencyStore or an Inbox needs at least. */
export function isStore(value: unknown): boolean {
  return hasMethod(value, "claim") || hasMethod(value, "run");
}
