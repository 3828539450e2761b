import * as z from "@fieldmesh/core/internal/zod";
import { memberOf } from "@fieldmesh/core/internal";
import {
  bigInteger,
  guess,
  openEnum,
  record,
  type SchemaOf,
} from "@fieldmesh/core/internal/schema";
import { TRANSACTION_TYPES } from "./transaction-types.ts";

const common = {
  /** The hash of the transaction. */
  hash: z.string(),
  /** The height of the block with the transaction. */
  height: z.int(),
  /** Unix seconds. */
  time: z.int(),
  /** The signature, as a string. */
  signature: z.nullish(z.string()),
  /** The fee, in bones like all amounts in transactions. Later types are charged in data credits instead (observed). */
  fee: z.nullish(bigInteger()),
};

const pocRequestFields = record({
  /** The type of the transaction. */
  type: z.literal("poc_request_v1"),
  ...common,
  /** A version number. The spec says nothing more. */
  version: z.nullish(z.int()),
  /** The hash of the secret. */
  secret_hash: z.string(),
  /** An account address. */
  owner: z.nullish(z.string()),
  /** The hash of the onion key. */
  onion_key_hash: z.string(),
  /** The index of a hexagonal cell. */
  location: z.nullish(z.string()),
  /** Longitude in decimal degrees. */
  lng: z.nullish(z.number()),
  /** Latitude in decimal degrees. */
  lat: z.nullish(z.number()),
  /** The address of the challenger. */
  challenger: z.string(),
  /** The hash of a block. The spec says nothing more. */
  block_hash: z.nullish(z.string()),
});

/** A challenger's request for a challenge. Check for it with {@link isKnownTransaction} and its `type`. */
export interface PocRequest extends z.output<typeof pocRequestFields> {}

const receiptFields = record({
  /** Nanoseconds since 1970 (observed), exact. For a Date: `new Date(Number(timestamp / 1_000_000n))`. */
  timestamp: z.nullish(bigInteger()),
  /** The signature of the receipt, as a string. */
  signature: z.nullish(z.string()),
  /** The signal strength. The spec states no unit. */
  signal: z.nullish(z.int()),
  /** Where the packet came from. The spec shows no value. */
  origin: z.nullish(z.string()),
  /** The address of the hotspot. */
  gateway: z.nullish(z.string()),
  /** The payload, as a string. */
  data: z.nullish(z.string()),
});

/** What a challengee sent about the challenge that reached it. */
export interface Receipt extends z.output<typeof receiptFields> {}

const witnessFields = record({
  /** Nanoseconds since 1970 (observed), exact. */
  timestamp: z.nullish(bigInteger()),
  /** The signal-to-noise ratio. The unit is not documented. */
  snr: z.nullish(z.number()),
  /** The signal strength. The unit is not documented. */
  signal: z.nullish(z.number()),
  /** The hash of the packet. */
  packet_hash: z.nullish(z.string()),
  /** An account address. */
  owner: z.nullish(z.string()),
  /** The index of a hexagonal cell. */
  location: z.nullish(z.string()),
  /** The address of the witness. */
  gateway: z.nullish(z.string()),
  /** Whether the witness counts. */
  is_valid: z.nullish(z.boolean()),
  /** Why it does not count. */
  invalid_reason: z.nullish(z.string()),
  /** The frequency. The unit is not documented. */
  frequency: z.nullish(z.number()),
  /** The channel number. */
  channel: z.nullish(z.int()),
  /** The data rate: a string, the character codes of that string, or an empty array. */
  datarate: z.nullish(z.union([z.string(), z.array(z.int())])),
});

/** A hotspot that received the signal of a challengee. Its fields are (observed). */
export interface Witness extends z.output<typeof witnessFields> {}

const pathFields = record({
  /** The hotspots that heard the challengee. */
  witnesses: z.array(guess(witnessFields as SchemaOf<Witness, typeof witnessFields>)),
  /** What the challengee sent; `null` if it sent nothing. */
  receipt: z.nullish(receiptFields as SchemaOf<Receipt, typeof receiptFields>),
  /** The address of the challengee. */
  challengee: z.string(),
});

/** One step of a challenge. */
export interface PocPathEntry extends z.output<typeof pathFields> {}

const pocReceiptsFields = record({
  /** The type of the transaction. */
  type: z.literal("poc_receipts_v1"),
  ...common,
  /** The secret of the challenge. */
  secret: z.nullish(z.string()),
  /** The steps of the challenge. */
  path: z.array(pathFields as SchemaOf<PocPathEntry, typeof pathFields>),
  /** The hash of the onion key. */
  onion_key_hash: z.string(),
  /** An account address. */
  challenger_owner: z.nullish(z.string()),
  /** The index of a hexagonal cell. */
  challenger_loc: z.nullish(z.string()),
  /** The address of the challenger. */
  challenger: z.string(),
});

/** The outcome of a challenge. Check for it with {@link isKnownTransaction} and its `type`. */
export interface PocReceipts extends z.output<typeof pocReceiptsFields> {}

const DOCUMENTED = new Set(["poc_request_v1", "poc_receipts_v1"]);

const otherFields = record({
  /** The type of the transaction. The spec describes two, and others are in use (observed). New types may appear. */
  type: openEnum(...TRANSACTION_TYPES).check(
    // Aborts, because zod would choose a union member that only fails a refinement.
    z.refine((type) => !DOCUMENTED.has(type), { abort: true, error: "is documented with more" }),
  ),
  /** The hash of the transaction. */
  hash: z.nullish(z.string()),
  /** The height of the block with the transaction. */
  height: z.nullish(z.int()),
  /** Unix seconds. */
  time: z.nullish(common.time),
  /** The signature, as a string. */
  signature: common.signature,
  /** The fee, in bones like all amounts in transactions. Later types are charged in data credits instead (observed). */
  fee: common.fee,
});

/**
 * A transaction of a type for which the published spec describes only the common fields. All other fields are kept: read them
 * with your own schema.
 */
export interface OtherTransaction extends z.output<typeof otherFields> {}

/** A transaction of a type whose fields the published spec describes. */
export type KnownTransaction = PocRequest | PocReceipts;

/** A transaction. More types may occur: narrow with {@link isKnownTransaction}, then `switch` over `type`. */
export type Transaction = KnownTransaction | OtherTransaction;

// The largest first: the search ends at the first member that fits.
const union = z.union([pocReceiptsFields, pocRequestFields, otherFields]);
export const Transaction: SchemaOf<Transaction, typeof union> = union;

/**
 * Tells whether a transaction has a type whose fields the published spec describes. `switch (transaction.type)` then narrows it.
 *
 * @example
 * ```ts
 * for await (const transaction of client.blocks.transactions({ height })) {
 *   if (!isKnownTransaction(transaction)) continue;
 *   switch (transaction.type) {
 *     case "poc_request_v1":
 *       console.log(transaction.challenger);
 *       break;
 *     case "poc_receipts_v1":
 *       console.log(transaction.path.length);
 *       break;
 *   }
 * }
 * ```
 */
export function isKnownTransaction(transaction: Transaction): transaction is KnownTransaction {
  // An item of a list that the published spec does not describe may be anything.
  return DOCUMENTED.has(memberOf(transaction, "type") as string);
}
