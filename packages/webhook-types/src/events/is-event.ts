import { recordOf } from "@fieldmesh/core";

/** Returns true for a value that can be an event, whoever parsed it. */
export function isEvent(value: unknown): boolean {
  const { id, type } = recordOf(value);
  return typeof id === "string" && id !== "" && typeof type === "string";
}
