import { findSpec, readSpecFolder } from "./read-spec.ts";
import { root } from "../../../../tools/packages.ts";

/** Makes the checked-in list of the names of the contract, or nothing if the contract is not beside the checkout. */
export function specNames(): Map<string, string> {
  const folder = findSpec(root);
  if (folder === undefined) return new Map();
  const rows = readSpecFolder(folder).map((row) => `  ${JSON.stringify(row)}`);
  return new Map([["tools/testing/spec-names.json", `[\n${rows.join(",\n")}\n]\n`]]);
}
