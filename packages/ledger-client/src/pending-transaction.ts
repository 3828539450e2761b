import * as z from "zod/mini";
import { openEnum, record, type SchemaOf } from "@fieldmesh/core/schema";

const pendingFields = record({
  hash: z.nullish(z.string()),
  type: z.nullish(z.string()),
  status: z.nullish(openEnum("received", "pending", "failed", "cleared")),
  failed_reason: z.nullish(z.string()),
  created_at: z.nullish(z.string()),
  updated_at: z.nullish(z.string()),
  /** The transaction; `null` while it was received only. */
  txn: z.unknown(),
});

/** An outstanding transaction. Its fields are (observed). */
export interface PendingTransaction extends z.output<typeof pendingFields> {}
export const PendingTransaction: SchemaOf<PendingTransaction, typeof pendingFields> = pendingFields;
