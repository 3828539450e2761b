// Imports the devices of a CSV file into a console, and resumes after a kill:
//
//   CONSOLE_URL=… CONSOLE_KEY=… node examples/import-inventory.ts inventory.csv checkpoint.json
//
// The tour starts it, kills it and starts it again. `npx @fieldmesh/cli devices import` does more: labels, columns of vendors, a file of
// the bad rows.
import { createConsoleClient } from "@fieldmesh/console-client";
import { explain, importDevices, readInventory } from "./tour/inventory.ts";

const [file, checkpointFile] = process.argv.slice(2);
const { CONSOLE_URL: baseUrl, CONSOLE_KEY: apiKey } = process.env;
if (file === undefined || checkpointFile === undefined || !baseUrl || !apiKey) {
  console.error(
    "usage: CONSOLE_URL=… CONSOLE_KEY=… node examples/import-inventory.ts inventory.csv checkpoint.json",
  );
  process.exit(2);
}
/** The tour receives messages; a person reads lines. */
const tell = process.send?.bind(process) ?? console.log;

const client = createConsoleClient({ baseUrl, apiKey });
const rows = await readInventory(file);
const devices = rows.map(({ device }) => device);
const report = await importDevices(client, devices, checkpointFile, ({ created, settled, total }) =>
  tell({ created, settled, total }),
);
const { created, failed, unknown, results } = report;
const problems = results.failed.map((failure) => {
  const row = rows[failure.index]!;
  return { line: row.line, problem: explain(row, failure) };
});
tell({ created, failed, unknown, problems });
