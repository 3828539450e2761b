// Imports an inventory into a console: node examples/import-devices.ts inventory.csv
//
// CONSOLE_URL and CONSOLE_KEY say where. Stopped or killed, it goes on where it was when it is started again. Rows that
// were not taken are written beside the file, with what is wrong; mend them and import that file.
import { rm } from "node:fs/promises";
import { format, parse } from "node:path";
import { createConsoleClient, type BulkCheckpoint, type BulkWait } from "@fieldmesh/console-client";
import { explain, readInventory, writeFailures, type Failure } from "./inventory.ts";
import { loadState, saveState } from "./state.ts";
import { progressBar } from "./terminal.ts";

const { CONSOLE_URL, CONSOLE_KEY } = process.env;
const inventory = process.argv[2];
if (inventory === undefined || CONSOLE_URL === undefined || CONSOLE_KEY === undefined) {
  console.error("usage: CONSOLE_URL=… CONSOLE_KEY=… node examples/import-devices.ts inventory.csv");
  process.exit(2);
}
await importDevices(inventory, CONSOLE_URL, CONSOLE_KEY);

async function importDevices(file: string, baseUrl: string, apiKey: string): Promise<void> {
  const client = createConsoleClient({ baseUrl, apiKey });
  const rows = await readInventory(file);
  const stateFile = `${file}.state.json`;
  const { checkpoint, failures } = (await loadState<State>(stateFile)) ?? { failures: [] };
  if (checkpoint !== undefined) console.log("Going on where the last run stopped.");
  const bar = progressBar(rows.length);
  const showWait = (wait: BulkWait | undefined): void => {
    if (wait !== undefined) console.log(`Waiting since ${wait.since.toISOString()}: ${wait.why}`);
  };
  let progress = { created: 0, failed: 0, unknown: 0 };

  const run = client.devices.createMany(
    rows.map(({ device }) => device),
    {
      checkpoint,
      onCheckpoint: (next) => saveState(stateFile, { checkpoint: next, failures } satisfies State),
      onProgress: (next) => {
        progress = next;
        bar(next.settled);
        showWait(next.waiting);
      },
    },
  );
  for await (const result of run) {
    if (!("error" in result)) continue;
    const row = rows[result.index]!;
    const problem = result.status === "failed" ? explain(row, result) : result.error;
    // A resumed run yields the failures of earlier runs, but not more than 1,000 of them.
    if (failures.every(({ index }) => index !== result.index))
      failures.push({ index: result.index, problem });
  }

  for (const { index, problem } of failures) console.log(`line ${rows[index]!.line}: ${problem}`);
  console.log(
    `${progress.created} created, ${progress.failed} failed, ${progress.unknown} unknown`,
  );
  if (failures.length > 0) {
    const { dir, name, ext } = parse(file);
    const failuresFile = format({ dir, name: `${name}.failures`, ext });
    await writeFailures(failuresFile, rows, failures);
    console.log(`Mend ${failuresFile} (it holds the keys of these rows) and import it.`);
    process.exitCode = 1;
  }
  await rm(stateFile, { force: true });
}

/** What must survive a kill: neither of the two holds a key. */
interface State {
  readonly checkpoint?: BulkCheckpoint;
  readonly failures: Failure[];
}
