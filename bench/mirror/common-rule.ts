// The rule of known sync engines: write where the stored time is older or equal. It sees the same events in the same order.
import type { InboxOrder } from "@fieldmesh/webhook-types/receiver";
import type pg from "pg";
import { COMMON_RULE } from "./task.ts";

const UPSERT = `INSERT INTO ${COMMON_RULE} AS c (id, event_id, created_at) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET event_id = excluded.event_id, created_at = excluded.created_at
WHERE c.created_at <= excluded.created_at`;

/** Applies the rule in the transaction of each event, before the mirror. */
export function withCommonRule(order: InboxOrder): InboxOrder {
  return {
    ...order,
    claimObject: async (event, transaction, origin) => {
      const { id, created_at, data } = event;
      const object = data["object"] as { readonly id: string };
      await (transaction as pg.PoolClient).query(UPSERT, [object.id, id, created_at]);
      return order.claimObject(event, transaction, origin);
    },
  };
}
