// Counts the files and functions that a call of labels.create enters: npm run bench -- path, and with their names: npm run bench -- path --list
import { Session } from "node:inspector/promises";
import { parseArgs } from "node:util";
import { createConsoleClient } from "@fieldmesh/console-client";
import { finish, limit, note, table } from "./support/report.ts";

const MOST_FILES = 44;
const MOST_FILES_WITH_KY = 51;
/** A script of a package of ours, or of ky. */
const COUNTED = /\/packages\/([\w-]+\/src\/.+)$|\/node_modules\/(ky\/.+)$/;

interface EnteredFile {
  readonly file: string;
  readonly functions: readonly string[];
}

const { list } = parseArgs({ options: { list: { type: "boolean" } } }).values;
const label = JSON.stringify({ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "Pumps" });
const client = createConsoleClient({
  baseUrl: "https://console.test",
  apiKey: "bench-key",
  fetch: async () =>
    new Response(label, { status: 201, headers: { "content-type": "application/json" } }),
});

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
const first = await filesOfCall();
const second = await filesOfCall();
session.disconnect();

note(
  "What a call of labels.create enters, as V8 counts it precisely, with a fetch that responds from memory. The first call of a client also enters what runs only once.",
);
table([countsOf("first", first), countsOf("second", second)]);
limit("files of ours that the second call enters", oursIn(second).length, { most: MOST_FILES });
limit("the same, with the files of ky", second.length, { most: MOST_FILES_WITH_KY });
finish();
if (list)
  for (const [call, files] of Object.entries({ first, second })) {
    console.log(`\nThe ${call} call:\n`);
    for (const { file, functions } of files) console.log(`${file}: ${functions.join(", ")}`);
  }

/** Makes a call. Returns the files that it enters. */
async function filesOfCall(): Promise<readonly EnteredFile[]> {
  // Sets all counts to 0.
  await session.post("Profiler.takePreciseCoverage");
  await client.labels.create({ name: "Pumps" });
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result
    .flatMap(({ url, functions }) => {
      const [, ours, ofKy] = COUNTED.exec(url) ?? [];
      const file = ours ?? ofKy;
      const entered = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0));
      if (file === undefined || entered.length === 0) return [];
      return { file, functions: entered.map(({ functionName }) => functionName || "(unnamed)") };
    })
    .toSorted((one, other) => one.file.localeCompare(other.file));
}

function countsOf(call: string, files: readonly EnteredFile[]) {
  const ours = oursIn(files);
  const functionsIn = (some: typeof files) => some.flatMap(({ functions }) => functions).length;
  return {
    call,
    files: ours.length,
    "files with those of ky": files.length,
    functions: functionsIn(ours),
    "functions with those of ky": functionsIn(files),
  };
}

function oursIn(files: readonly EnteredFile[]): readonly EnteredFile[] {
  return files.filter(({ file }) => !file.startsWith("ky/"));
}
