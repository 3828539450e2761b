import { createEventRouter, type EventHandlers } from "@fieldmesh/webhook-types/router";
import { inbox } from "./storage.ts";

const UPSERT = `INSERT INTO subscribers VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (id) DO UPDATE SET
    locked_status = excluded.locked_status,
    event_id = excluded.event_id,
    event_created_at = excluded.event_created_at,
    is_ambiguous = excluded.is_ambiguous`;

/** Writes in the transaction of the event: a crash undoes both, and the sender delivers again. */
export const handlers: EventHandlers = {
  "subscriber.*": async (event, context) => {
    const transaction = inbox.transaction(context);
    const { id, locked_status } = event.data.object;
    if (id === undefined) throw new Error("a subscriber without an id");
    if (event.type === "subscriber.deleted") {
      await transaction.query("DELETE FROM subscribers WHERE id = $1", [id]);
      return;
    }
    const isAmbiguous = context.order === "ambiguous";
    await transaction.query(UPSERT, [
      id,
      locked_status ?? null,
      event.id,
      event.created_at,
      isAmbiguous,
    ]);
  },
};

/** The same handlers for events that do not arrive over HTTP. */
export const router = createEventRouter(handlers);
