import * as z from "@fieldmesh/core/internal/zod";
import { record, sensitive, shown, type SchemaOf } from "@fieldmesh/core/internal/schema";
import { endpoint, page, type Methods } from "@fieldmesh/http/internal";
import { usualErrors } from "./fields.ts";

const storedEventFields = record({
  /** The id of the event, with the prefix `evt_`. */
  id: z.string(),
  // Open, so that one odd event does not stop the list. parseEvent validates it.
  /** The event type. New types may appear. */
  type: shown(z.string()),
  /** A time: ISO 8601, UTC. */
  created_at: shown(z.string()),
  /** `false` for an event of the sandbox environment (observed). */
  livemode: shown(z.boolean()),
  /** The snapshot of the resource under `object`, as in a webhook but without one-time codes. */
  data: shown(sensitive("personal", z.record(z.string(), z.unknown()))),
  /** The idempotency key of the event. The spec says nothing more. */
  idempotency_key: shown(z.string()),
});

/**
 * An event as the service has stored it, before it is parsed. It never contains the one-time code of
 * `cpni.verification.requested` or the recipient of a `psim_order`: only the signed webhook contains them. `parseEvent(event, {
 * source: "store" })` returns the `StoredWebhookEvent` of `@fieldmesh/webhook-types`, whose type has neither.
 */
export interface StoredEvent extends z.output<typeof storedEventFields> {}
const StoredEvent: SchemaOf<StoredEvent, typeof storedEventFields> = storedEventFields;

/** The endpoints of stored events, one row for each. The client makes the methods of `client.events` from them. */
export const events = {
  /**
   * List the stored events. `parseEvent(event, { source: "store" })` of `@fieldmesh/webhook-types/parse` returns an event
   * with its TypeScript type. `catchUp` handles the events that a receiver has missed.
   *
   * In the published spec, the path has no `/v1`. Set another path with the client's option `eventsPath`. The published spec
   * does not describe paging either: the client reads the records from `data`, or else from the only list in the response,
   * and requests the next page with `cursor`. Pass filters in the option `query`.
   *
   * @throws An {@link ApiError} with 400, 401, 403 or 422 (observed). Its message explains the status
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * for await (const event of client.events.list().take(100)) console.log(event.id, event.type);
   * ```
   */
  list: endpoint("GET /events", {
    query: {
      /**
       * The cursor of an earlier response, unchanged, to start at that page. You can omit it: the pager sends cursors for
       * you (observed).
       */
      cursor: z.optional(z.string().check(z.minLength(1, "must not be empty"))),
    },
    result: page(StoredEvent, { key: ["id"], isGuess: true }),
    errors: usualErrors,
  }),
};

/** The events that the service has stored. */
export interface Events extends Methods<typeof events> {}
