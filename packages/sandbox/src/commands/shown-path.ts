import { existsSync } from "node:fs";

/**
 * Returns how a message calls a path that was typed: as it is if there is such a file or folder. Any other word may be a key in the
 * wrong place, so `otherwise` names where it was typed, such as `The file of --out`.
 */
export function shownPath(path: string, otherwise: string): string {
  return existsSync(path) ? path : otherwise;
}
