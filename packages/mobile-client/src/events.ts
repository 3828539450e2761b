import * as z from "zod";
import { record } from "@fieldmesh/core/schema";
import { endpoint, page, type Methods } from "@fieldmesh/http";
import { usualErrors } from "./fields.ts";

const storedEventFields = record({
  id: z.string(),
  // Open, so that one odd event does not stop the list: what it is worth is for parseEvent to say.
  type: z.string().nullish(),
  created_at: z.string().nullish(),
  livemode: z.boolean().nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
  idempotency_key: z.string().nullish(),
});

/**
 * An event as the service has stored it, before it is parsed. It never has the one-time code of
 * `cpni.verification.requested`, nor the recipient of a `psim_order`: they travel in the signed webhook only.
 * `parseEvent(event, { source: "store" })` gives the `StoredWebhookEvent` of `@fieldmesh/webhook-types`, whose type says it.
 */
export interface StoredEvent extends z.output<typeof storedEventFields> {}
const StoredEvent: z.ZodType<StoredEvent, z.input<typeof storedEventFields>> = storedEventFields;

const sample = {
  id: "evt_01JD3Y6M2P5VX8",
  type: "sim.suspended",
  created_at: "2026-11-20T08:30:00Z",
  livemode: false,
  data: { object: { id: "sim_01JD3Y8T4N", state: "suspended" } },
  idempotency_key: "idem_01JD3Y6M2P5VX8",
};

export const events = {
  /**
   * List the stored events. `parseEvent(event, { source: "store" })` of `@fieldmesh/webhook-types/parse` types one;
   * `catchUp` handles those that a receiver has missed.
   *
   * The path has no `/v1` in the published spec; the client's option `eventsPath` names another one. Paging is not in it
   * either: records are read from `data` and the next page from `cursor`. Filters go in the option `query`.
   *
   * @example
   * ```ts
   * for await (const event of client.events.list().take(100)) console.log(event.id, event.type);
   * ```
   */
  list: endpoint("GET /events", {
    query: { cursor: z.string().min(1, "must not be empty").optional() },
    result: page(StoredEvent, { key: ["id"] }),
    errors: usualErrors,
    sample: { input: {}, output: { data: [sample] } },
  }),
};

/** Stored events. */
export interface Events extends Methods<typeof events> {}
