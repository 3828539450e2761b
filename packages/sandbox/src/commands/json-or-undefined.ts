import { parseJson } from "@fieldmesh/core/internal";

/** Parses JSON. Returns `undefined` for any other string: the error of the parser is not shown, because the string may hold a secret. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
