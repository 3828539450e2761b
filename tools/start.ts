// Builds what has changed, then runs a program in this very process, so that signals, exit code and
// terminal are its own: node tools/start.ts <file> [arguments]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { buildStale } from "./build.ts";
import { CommandError } from "./exec.ts";

process.argv.splice(1, 1);
const file = resolve(process.argv[1] ?? "");
if (await isBuilt()) await import(pathToFileURL(file).href);

async function isBuilt(): Promise<boolean> {
  try {
    const built = await buildStale();
    if (built.length > 0) console.error(`fieldmesh: built ${built.join(", ")}`);
    return true;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(`${error.output}\nfieldmesh: the packages do not build, the reason is above`);
    process.exitCode = 1;
    return false;
  }
}
