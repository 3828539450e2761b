// Walks a list of 1,000,000 rows while every tenth request fails and every cursor expires three times: npm run bench -- ledger
import { walkAccounts } from "./ledger/walk-accounts.ts";
import { SIZES } from "../tools/results.ts";
import { finish, limit, note, table } from "./support/report.ts";

const ROWS = Number(process.argv[2] ?? SIZES.ledgerRows);
const EXPIRATIONS = 3;
const MEGABYTE = 1_000_000;

const outcome = await walkAccounts({ rows: ROWS, seed: 1, expirations: EXPIRATIONS });
const { missing, duplicates, unknown, heapGrowth } = outcome;
note(`${ROWS} rows, ${EXPIRATIONS} expirations, every tenth request fails.`);
table([{ ...outcome }]);
limit("rows missing, repeated or unknown", missing + duplicates + unknown, { most: 0 });
limit("growth of the heap after the first tenth, MB", heapGrowth / MEGABYTE, { most: 10 });
finish();
