import * as z from "@fieldmesh/core/internal/zod";
import { memberOf } from "@fieldmesh/core/internal";
import {
  bigInteger,
  guess,
  openEnum,
  record,
  seen,
  shown,
  type SchemaOf,
} from "@fieldmesh/core/internal/schema";
import { TRANSACTION_TYPES } from "./transaction-types.ts";

/** A field that old rows lack, although the contract shows it (observed). */
const older = <S extends z.core.$ZodType>(schema: S) => seen(shown(z.optional(schema)));

const common = {
  /** The hash of the transaction. */
  hash: z.string(),
  /** The height of the block with the transaction. */
  height: z.int(),
  /** Unix seconds. */
  time: z.int(),
  /** The signature, as a string. It may be absent (observed). */
  signature: older(z.string()),
  /** The fee, in bones like all amounts in transactions. It may be absent (observed). */
  fee: older(bigInteger()),
};

const pocRequestFields = record({
  /** The type of the transaction. */
  type: z.literal("poc_request_v1"),
  ...common,
  /** A version number. The spec says nothing more. It may be absent (observed). */
  version: older(z.int()),
  /** The hash of the secret. */
  secret_hash: z.string(),
  /** The owner, as a string. It may be absent (observed). */
  owner: older(z.string()),
  /** The hash of the onion key. */
  onion_key_hash: z.string(),
  /** The index of a hexagonal cell. It may be absent (observed). */
  location: older(z.string()),
  /** The longitude. The spec states no unit. It may be absent (observed). */
  lng: older(z.number()),
  /** The latitude. The spec states no unit. It may be absent (observed). */
  lat: older(z.number()),
  /** The challenger, as a string. */
  challenger: z.string(),
  /** The hash of a block. It may be absent (observed). */
  block_hash: older(z.string()),
});

/** A challenger's request for a challenge. Check for it with {@link isKnownTransaction} and its `type`. */
export interface PocRequest extends z.output<typeof pocRequestFields> {}

const receiptFields = record({
  /** Nanoseconds since 1970 (observed), exact. For a Date: `new Date(Number(timestamp / 1_000_000n))`. */
  timestamp: shown(bigInteger()),
  /** The signature, as a string. */
  signature: shown(z.string()),
  /** The signal. The spec states no unit. */
  signal: shown(z.int()),
  /** The origin, as a string. The spec shows no value. */
  origin: shown(z.string()),
  /** The gateway, as a string. */
  gateway: shown(z.string()),
  /** The data, as a string. */
  data: shown(z.string()),
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
  /** The witnesses. The spec does not show their fields. */
  witnesses: z.array(guess(witnessFields as SchemaOf<Witness, typeof witnessFields>)),
  /** The receipt, or `null`. */
  receipt: shown(z.nullable(receiptFields as SchemaOf<Receipt, typeof receiptFields>)),
  /** The challengee, as a string. */
  challengee: z.string(),
});

/** One step of a challenge. */
export interface PocPathEntry extends z.output<typeof pathFields> {}

const pocReceiptsFields = record({
  /** The type of the transaction. */
  type: z.literal("poc_receipts_v1"),
  ...common,
  /** The secret, as a string. It may be absent (observed). */
  secret: older(z.string()),
  /** The entries of the path. */
  path: z.array(pathFields as SchemaOf<PocPathEntry, typeof pathFields>),
  /** The hash of the onion key. */
  onion_key_hash: z.string(),
  /** The owner of the challenger, as a string. It may be absent (observed). */
  challenger_owner: older(z.string()),
  /** The location of the challenger, as a string. It may be absent (observed). */
  challenger_loc: older(z.string()),
  /** The challenger, as a string. */
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
  /** The hash of the transaction. It may be absent (observed). */
  hash: older(z.string()),
  /** The height of the block with the transaction. It may be absent (observed). */
  height: older(z.int()),
  /** Unix seconds. It may be absent (observed). */
  time: older(z.int()),
  /** The signature, as a string. It may be absent (observed). */
  signature: common.signature,
  /** The fee, in bones like all amounts in transactions. It may be absent (observed). */
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
