import type { Secret } from "@fieldmesh/core";

/**
 * Same as `revealText` of core, without the class, which a bundler would include: a third of a small bundle. Returns an empty
 * string for `undefined`, such as an unset environment variable.
 */
export function secretText(secret: Secret | string | undefined): string {
  return typeof secret === "string" ? secret : (secret?.reveal?.() ?? "");
}
