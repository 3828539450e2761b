// Compares an inventory with the console each night, creates what is missing, and labels what the inventory does not contain:
//
//   CONSOLE_URL=… CONSOLE_KEY=… QUEUE_URL=redis://127.0.0.1 JOB_KEY=… node examples/reconcile-nightly.ts inventory.csv
//
// With --at "0 3 * * *" it stays, and runs each night at three. Start it on two machines: the queue lets one of them run.
import { parseArgs } from "node:util";
import { printReport } from "./workers/print-report.ts";
import { reconcile } from "./workers/reconcile.ts";
import { openSettings, VARIABLES, type Settings } from "./workers/settings.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    at: { type: "string" },
    size: { type: "string", default: "1000" },
    workers: { type: "string", default: "4" },
  },
});
const [file] = positionals;
if (file === undefined) {
  console.error(
    `usage: node examples/reconcile-nightly.ts inventory.csv [--at "0 3 * * *"] [--size 1000] [--workers 4]\n${VARIABLES}`,
  );
  process.exit(2);
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

async function runNight(settings: Settings, path: string): Promise<void> {
  console.log(`${new Date().toISOString()} ${path}`);
  const plan = { size: Number(values.size), workers: Number(values.workers) };
  const night = await reconcile(path, settings, plan, stop.signal);
  console.log(`${night.wanted} devices in the inventory, ${night.known} in the console`);
  process.exitCode = printReport(night.created, (row) => `line ${night.lineOf(row)}`);
  console.log(`${night.labeled} labeled, ${night.unlabeled} labels removed`);
}

try {
  const settings = await openSettings();
  const run = () => runNight(settings, file);
  try {
    if (values.at === undefined) await run();
    else await settings.engine.schedule(values.at, run, stop.signal);
  } finally {
    await settings.engine.close();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
