// Imports a CSV file with several worker processes and a queue, BullMQ or pg-boss:
//
//   CONSOLE_URL=… CONSOLE_KEY=… QUEUE_URL=redis://127.0.0.1 JOB_KEY=… node examples/import-with-workers.ts inventory.csv
//
// Ctrl-C cancels the import. The same command resumes it, also after a kill, and shows the report again once it is done.
import { parseArgs } from "node:util";
import type { NewDevice } from "@fieldmesh/console-client";
import { keyOf, readRows } from "./tour/inventory.ts";
import { printReport } from "./workers/print-report.ts";
import { runJobs } from "./workers/run-jobs.ts";
import { openSettings, VARIABLES } from "./workers/settings.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: "string", default: "1000" },
    workers: { type: "string", default: "4" },
  },
});
const [file] = positionals;
if (file === undefined) {
  console.error(
    `usage: node examples/import-with-workers.ts inventory.csv [--size 1000] [--workers 4]\n${VARIABLES}`,
  );
  process.exit(2);
}

const cancel = new AbortController();
process.once("SIGINT", () => cancel.abort());

/** The line of each device that is in a job. */
const lines: number[] = [];
const repeated: number[] = [];

/** Reads the devices of the file. A run finds duplicates in its own job only, so they are left out here. */
async function* readDevices(path: string): AsyncGenerator<NewDevice, void, undefined> {
  const seen = new Set<string>();
  for await (const { line, device } of readRows(path)) {
    const identity = keyOf(device);
    if (seen.has(identity)) repeated.push(line);
    else {
      seen.add(identity);
      lines.push(line);
      yield device;
    }
  }
}

try {
  const settings = await openSettings();
  const plan = { size: Number(values.size), workers: Number(values.workers) };
  try {
    const outcome = await runJobs(readDevices(file), settings, plan, cancel.signal);
    process.exitCode = printReport(outcome, (row) => `line ${lines[row]}`);
    for (const line of repeated) console.log(`  line ${line}: repeats a device of an earlier line`);
  } finally {
    await settings.engine.close();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
