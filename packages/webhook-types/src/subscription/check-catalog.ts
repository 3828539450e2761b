import { checkTexts } from "./check-texts.ts";
import { currentEventTypes, eventTypes } from "../events/event-types.ts";

/** How a live list differs from the catalog of this version. */
export interface CatalogCheck {
  /** Live types that this version does not know: they arrive as unknown events. An update of this package may help. */
  readonly added: readonly string[];
  /** Current types of this version that the live list lacks: handlers for them never fire. */
  readonly gone: readonly string[];
}

/**
 * Compares the list that `GET /v1/reference/event_types` returns with the catalog of this version.
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
