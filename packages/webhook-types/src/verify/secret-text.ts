import type { Secret } from "@fieldmesh/core";

/** Same as `revealText` of core, without the class, which would be a third of a small bundle. An unset variable is an empty string. */
export function secretText(secret: Secret | string | undefined): string {
  return typeof secret === "string" ? secret : (secret?.reveal?.() ?? "");
}
