import { createSandbox } from "@fieldmesh/sandbox";
import { stringifyJson } from "@fieldmesh/core";

/** How many rows a page has. */
export const ROWS_PER_PAGE = 100;
/** With this many, a page of poc_receipts is about as large as a real one. */
const WITNESSES = 12;

/** Returns a page of block descriptors as JSON. The client reads them as transactions of an unknown type. */
export function blockRows(): string {
  const { state } = createSandbox().ledger;
  return stringifyJson(
    Array.from({ length: ROWS_PER_PAGE }, (_, row) => ({
      type: "block",
      ...state.chain.block(900_000 - row),
    })),
  );
}

/** Returns a page of poc_receipts transactions as JSON, on request with nanosecond stamps, which are beyond 2^53. */
export function receiptRows({ hasLargeIntegers }: { hasLargeIntegers: boolean }): string {
  const filler = (length: number, number: number): string =>
    `${number}`.padStart(8, "x").repeat(length).slice(0, length);
  const timestamp = (row: number) =>
    hasLargeIntegers ? 1_763_625_600_123_456_789n + BigInt(row) : 1_763_625_600_123 + row;
  const witness = (row: number) => ({
    timestamp: timestamp(row),
    snr: -7.5,
    signal: -101,
    packet_hash: filler(43, row),
    owner: filler(51, row),
    location: "8c2681a3064d9ff",
    is_valid: true,
    gateway: filler(51, row),
    frequency: 904.7,
    datarate: "SF9BW125",
    channel: 3,
  });
  const transaction = (row: number) => ({
    type: "poc_receipts_v1",
    time: 1763625600,
    signature: filler(88, row),
    height: 900_000 + row,
    hash: filler(43, row),
    fee: 0,
    secret: filler(43, row),
    onion_key_hash: filler(43, row),
    challenger_owner: filler(51, row),
    challenger_loc: "8c2681a3064d9ff",
    challenger: filler(51, row),
    path: [
      {
        challengee: filler(51, row),
        receipt: {
          timestamp: timestamp(row),
          signature: filler(88, row),
          signal: 0,
          origin: "p2p",
          gateway: filler(51, row),
          data: "AQIDBA==",
        },
        witnesses: Array.from({ length: WITNESSES }, (_, index) => witness(row + index)),
      },
    ],
  });
  return stringifyJson(Array.from({ length: ROWS_PER_PAGE }, (_, row) => transaction(row)));
}
