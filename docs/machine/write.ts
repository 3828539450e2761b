// npm run docs -- documents <folder>: writes all machine-readable documents into a folder, as a release has them.
import { publish } from "./publish.ts";

const [folder = "documents"] = process.argv.slice(2);
publish(folder);
console.log(`the documents are in ${folder}`);
