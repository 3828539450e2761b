import type { Secret } from "@fieldmesh/core";

/** Core's `revealText`, without the class that a bundler would keep for it: a third of a small bundle. */
export function secretText(secret: Secret | string): string {
  return typeof secret === "string" ? secret : secret.reveal();
}
