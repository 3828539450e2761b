import * as z from "zod";
import { openEnum, record } from "@fieldmesh/core/schema";

const pendingFields = record({
  hash: z.string().nullish(),
  type: z.string().nullish(),
  status: openEnum("received", "pending", "failed", "cleared").nullish(),
  failed_reason: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  /** The transaction; `null` while it was received only. */
  txn: z.unknown(),
});

/** An outstanding transaction. The published spec shows no field of it; these are of running deployments. */
export interface PendingTransaction extends z.output<typeof pendingFields> {}
export const PendingTransaction: z.ZodType<
  PendingTransaction,
  z.input<typeof pendingFields>
> = pendingFields;
