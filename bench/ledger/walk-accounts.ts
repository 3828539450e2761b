import { CallError, createLedgerClient } from "@fieldmesh/ledger-client";
import { ledgerFaults, startSandbox } from "@fieldmesh/sandbox";
import { heapUsed } from "../support/measure.ts";

/** A walk through all accounts of a ledger whose requests fail. */
export interface AccountWalk {
  readonly rows: number;
  readonly seed: number;
  /** How often, over the walk, every cursor expires. */
  readonly expirations: number;
}

const FAULT_RATE = 0.1;
const KINDS = [
  "reset",
  "lost",
  "truncate",
  503,
  ledgerFaults.throttled,
  ledgerFaults.broken,
] as const;
/** How often a page may fail in a row before the benchmark fails. */
const MAX_FAILURES_IN_A_ROW = 50;

/** Walks all accounts while every tenth request fails, and counts missing and repeated accounts. */
export async function walkAccounts(walk: AccountWalk) {
  const { rows, seed, expirations } = walk;
  await using sandbox = await startSandbox({
    seed,
    faults: { rate: FAULT_RATE, kinds: KINDS, seed },
    logSize: 1,
    ledger: { accounts: rows },
  });
  const { baseUrl, state } = sandbox.ledger;
  const client = createLedgerClient({ baseUrl, retry: { baseDelay: 1, maxDelay: 20 } });
  const iterator = client.accounts.list({}, { onCursorExpired: "restart" }).walk();
  const seen = new Uint8Array(rows);
  const expiring = Math.floor(rows / (expirations + 1));
  const start = performance.now();
  let [count, unknown, failures, inARow, heapEarly] = [0, 0, 0, 0, 0];

  for (;;) {
    try {
      const { done, value } = await iterator.next();
      if (done === true) break;
      inARow = 0;
      const number = state.chain.addresses.numberOf(value.address ?? "");
      if (number === undefined || number >= rows) unknown++;
      else seen[number]!++;
      count++;
      if (count % expiring === 0 && count < rows) state.expireCursors();
      if (count === Math.floor(rows / 10)) heapEarly = heapUsed();
    } catch (error) {
      failures++;
      if (!(error instanceof CallError) || ++inARow > MAX_FAILURES_IN_A_ROW) throw error;
    }
  }
  return {
    missing: seen.filter((times) => times === 0).length,
    duplicates: seen.filter((times) => times > 1).length,
    unknown,
    requests: sandbox.log.count,
    /** Failures that reached the caller, who then called next() again. */
    failures,
    /** Bytes of heap after garbage collection at the end, minus those after a tenth of the rows. */
    heapGrowth: heapUsed() - heapEarly,
    seconds: (performance.now() - start) / 1_000,
  };
}
