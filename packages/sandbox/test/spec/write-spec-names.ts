// Writes the checked-in list of the names of the contract: npm run generate -- spec
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findSpec, readSpecFolder } from "./read-spec.ts";

const folder = findSpec(join(import.meta.dirname, "../../../.."));
if (folder === undefined) throw new Error("The contract is not beside this checkout.");
const rows = readSpecFolder(folder).map((row) => `  ${JSON.stringify(row)}`);
writeFileSync(join(import.meta.dirname, "spec-names.json"), `[\n${rows.join(",\n")}\n]\n`);
