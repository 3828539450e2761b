// Builds what has changed, then runs a program in this very process, so that signals, exit code and
// terminal are its own: node tools/start.ts <file> [arguments]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import "./build.ts";

process.argv.splice(1, 1);
const file = resolve(process.argv[1] ?? "");
await import(pathToFileURL(file).href);
