// Walks a list of 1,000,000 rows while every tenth request fails and every cursor expires three times: npm run bench:ledger
import { walkAccounts } from "./ledger/walk-accounts.ts";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const EXPIRATIONS = 3;
const MEGABYTE = 1_000_000;
const MAX_GROWTH = 10 * MEGABYTE;

const outcome = await walkAccounts({ rows: ROWS, seed: 1, expirations: EXPIRATIONS });
const { missing, doubled, unknown, requests, failures, heapGrowth, seconds } = outcome;
console.log(`${ROWS} rows, ${EXPIRATIONS} expirations, every tenth request fails`);
console.log(`missing ${missing}, doubled ${doubled}, unknown ${unknown}`);
console.log(
  `${requests} requests, ${failures} failures that next() was called after, ${seconds.toFixed(1)} s`,
);
console.log(
  `heap after collection, from a tenth of the way to the end: ${(heapGrowth / MEGABYTE).toFixed(1)} MB (limit 10)`,
);
const isWrong = missing + doubled + unknown > 0 || heapGrowth > MAX_GROWTH;
console.log(isWrong ? "\nNOT as promised" : "\nas promised");
process.exitCode = isWrong ? 1 : 0;
