// Exports rewards to a file, from where the run before was killed.
import { CallError, createLedgerClient, type Reward } from "@fieldmesh/ledger-client";
import { heapUsed } from "../support/measure.ts";
import { readTask } from "../support/child.ts";
import { openExport, type ExportTask } from "./export-file.ts";

const BATCH = 1_000;
const MAX_FAILURES_IN_A_ROW = 200;

const { baseUrl, query, file, lanes } = readTask() as ExportTask;
const client = createLedgerClient({
  baseUrl,
  rateLimit: false,
  retry: { baseDelay: 1, maxDelay: 20 },
});
const target = openExport(file);
const walk = client.accounts
  .rewards(query, { onCursorExpired: "restart" })
  .parallel({ lanes, checkpoint: target.checkpoint });
let batch: Reward[] = [];
let failures = 0;
let heapEarly = 0;

for (;;) {
  try {
    const { done, value } = await walk.next();
    failures = 0;
    if (value !== undefined) batch.push(value);
    if (batch.length < BATCH && done !== true) continue;
    target.write(batch, walk.checkpoint());
    batch = [];
    if (heapEarly === 0) heapEarly = heapUsed();
    if (done === true) break;
  } catch (error) {
    if (!(error instanceof CallError) || ++failures > MAX_FAILURES_IN_A_ROW) throw error;
  }
}
target.close();
process.send?.({ heapGrowth: heapUsed() - heapEarly }, () => process.disconnect());
