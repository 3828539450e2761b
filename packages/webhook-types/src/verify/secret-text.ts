import type { Secret } from "@fieldmesh/core";

/**
 * Core's `revealText`, without the class that a bundler would keep for it: a third of a small bundle. Empty for nothing,
 * as where an environment variable is not set.
 */
export function secretText(secret: Secret | string | undefined): string {
  return typeof secret === "string" ? secret : (secret?.reveal?.() ?? "");
}
