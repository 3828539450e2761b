// npm run docs -- documents <folder>: writes all machine-readable documents into a folder, as a release has them.
import { writeFiles } from "../../tools/files.ts";
import { generate } from "./generate.ts";

const [folder = "documents"] = process.argv.slice(2);
writeFiles(generate(), folder);
console.log(`the documents are in ${folder}`);
