import { nearest } from "@fieldmesh/core";

/** Ends the message about a misspelled name with the one that was probably meant, if there is one. */
export function didYouMean(mistyped: unknown, candidates: Iterable<string>): string {
  const meant = nearest(String(mistyped), candidates);
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}
