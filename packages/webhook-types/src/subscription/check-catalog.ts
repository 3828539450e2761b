import { checkTexts } from "./validate-enabled-events.ts";
import { currentEventTypes, eventTypes } from "../events/event-types.ts";

/** How the live list of event types differs from the catalog of this version. */
export interface CatalogCheck {
  /** Live types that this version does not know. They arrive as unknown events. A newer version of this package may know them. */
  readonly added: readonly string[];
  /** Current types of this version that are missing from the live list. Handlers for them never run. */
  readonly gone: readonly string[];
}

/**
 * Compares the list from `GET /v1/reference/event_types` with the catalog of this version.
 *
 * Types of the earlier catalog are known: they are neither added nor gone.
 *
 * @example
 * ```ts
 * const { added, gone } = checkCatalog(["sim.activated", "sim.frozen"]);
 * ```
 */
export function checkCatalog(liveTypes: Iterable<string>): CatalogCheck {
  checkTexts("checkCatalog", liveTypes);
  const live = new Set(liveTypes);
  const known = new Set<string>(eventTypes);
  return {
    added: [...live].filter((type) => !known.has(type)),
    gone: currentEventTypes.filter((type) => !live.has(type)),
  };
}
