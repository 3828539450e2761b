import * as z from "@fieldmesh/core/internal/zod";
import { openEnum, record, type SchemaOf } from "@fieldmesh/core/internal/schema";

const pendingFields = record({
  /** The hash of the transaction. */
  hash: z.nullish(z.string()),
  /** The type of the transaction. */
  type: z.nullish(z.string()),
  /** The progress of the transaction: `received`, `pending`, `failed` or `cleared` (observed). */
  status: z.nullish(openEnum("received", "pending", "failed", "cleared")),
  /** Why it failed; absent otherwise. */
  failed_reason: z.nullish(z.string()),
  /** When the record was created. */
  created_at: z.nullish(z.string()),
  /** When the record last changed. */
  updated_at: z.nullish(z.string()),
  /** The transaction; `null` while it has only been received. */
  txn: z.optional(z.unknown()),
});

/** An outstanding transaction. Its fields are (observed). */
export interface PendingTransaction extends z.output<typeof pendingFields> {}
export const PendingTransaction: SchemaOf<PendingTransaction, typeof pendingFields> = pendingFields;
