import { nearest } from "@fieldmesh/core/internal";

/** Returns a suggestion for a misspelled name, to end a message with, or an empty string if none is similar. */
export function didYouMean(mistyped: unknown, candidates: Iterable<string>): string {
  const meant = nearest(String(mistyped), candidates);
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}
