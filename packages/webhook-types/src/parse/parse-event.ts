import * as z from "zod/mini";
import type { InferSchema, Schema } from "@fieldmesh/core";
import { compileSchema } from "@fieldmesh/core/schema";
import type { EventEnvelope, UnknownEvent } from "../events/envelope.ts";
import type { EventMap, EventType, WebhookEvent } from "../events/webhook-event.ts";
import { markStored, type EventSource } from "../events/source.ts";
import type { StoredWebhookEvent } from "../events/stored.ts";
import { EventParseError, problemOf } from "./event-parse-error.ts";
import { isKnownType, schemaOf } from "./event-schema.ts";
import { readJson } from "./read-json.ts";

/** Options of {@link parseEvent}. */
export interface ParseEventOptions {
  /** Say `store` for an event that was read from `/events`: `sourceOf` then tells. @default "webhook" */
  source?: EventSource | undefined;
}

/**
 * Parses the body of a verified message, or a value that is already parsed.
 *
 * Returns the typed event of a type that this version knows, and an {@link UnknownEvent} of any other. Fields that no schema
 * declares are kept, and integers that a number cannot hold become a `bigint`. Throws an EventParseError, which holds
 * nothing of the payload, for what is not an event or not what its type promises. With the source `store` the type of
 * the event says what stored events lack.
 *
 * @example
 * ```ts
 * const event = parseEvent(body);
 * if (isKnownEvent(event) && event.type === "sim.activated") console.log(event.data.object.subscriber_id);
 * ```
 */
export function parseEvent(
  body: unknown,
  options: ParseEventOptions & { source: "store" },
): StoredWebhookEvent | UnknownEvent;
export function parseEvent(body: unknown, options?: ParseEventOptions): WebhookEvent | UnknownEvent;
export function parseEvent(
  body: unknown,
  options?: ParseEventOptions,
): WebhookEvent | UnknownEvent {
  return parse(body, options) as WebhookEvent | UnknownEvent;
}

/** Your own schemas for the `data.object` of some types, of any library that follows Standard Schema. */
export type ObjectSchemas = { readonly [Type in EventType]?: Schema };

/** Events by type, as a parser with your own schemas returns them: `createEventRouter<ParsedMap<typeof schemas>>`. */
export type ParsedMap<Schemas extends ObjectSchemas> = {
  [Type in keyof EventMap]: Type extends keyof Schemas
    ? WithObject<EventMap[Type], InferSchema<Schemas[Type] & Schema>>
    : EventMap[Type];
};

type WithObject<Event extends EventEnvelope, Snapshot> = Omit<Event, "data"> & {
  data: { [Key in keyof Event["data"]]: Key extends "object" ? Snapshot : Event["data"][Key] };
};

/** As {@link parseEvent}, with the schemas that the parser was created with. */
export type EventParser<Schemas extends ObjectSchemas> = (
  body: unknown,
  options?: ParseEventOptions,
) => ParsedMap<Schemas>[EventType] | UnknownEvent;

/**
 * Creates a `parseEvent` that also checks and types the `data.object` of some types with your own schemas.
 *
 * A schema receives the object as this package has parsed it, with each secret as a Secret, and must be synchronous. Its
 * messages are not passed on: they may quote the payload.
 *
 * @example
 * ```ts
 * const parse = createEventParser({ "plan.created": z.object({ id: z.string(), price_cents: z.int() }) });
 * ```
 */
export function createEventParser<const Schemas extends ObjectSchemas>(
  schemas: Schemas,
): EventParser<Schemas> {
  const schemasByType = new Map(Object.entries<Schema | undefined>(schemas));
  return (body, options) => {
    const event = parse(body, options);
    const schema = schemasByType.get(event.type);
    if (schema !== undefined) event.data["object"] = applySchema(schema, event);
    // Both schemas have validated it.
    return event as ParsedMap<Schemas>[EventType] | UnknownEvent;
  };
}

function parse(body: unknown, options?: ParseEventOptions): EventEnvelope {
  const value = readJson(body);
  const type = typeOf(value);
  const event = readEvent(type, value);
  if (!isDistinct(event.id)) throw new EventParseError(knownType(type), [NO_ID]);
  if (options?.source === "store") markStored(event);
  return event;
}

const LONGEST_ID = 500;
const NO_ID = { path: "id", message: `expected 1 to ${LONGEST_ID} characters` };

/**
 * Whether every store can tell this id from every other. Empty ids are all the same, and a lone surrogate becomes a
 * replacement character when it is encoded, so the second such event would be dropped. PostgreSQL rejects NUL, and ids too long for its index.
 */
function isDistinct(id: string): boolean {
  return id.length > 0 && id.length <= LONGEST_ID && !id.includes("\0") && id.isWellFormed();
}

function readEvent(type: string, value: unknown): EventEnvelope {
  const result = z.safeParse(compileSchema(schemaOf(type)), value);
  if (result.success) return result.data;
  throw new EventParseError(knownType(type), result.error.issues.map(problemOf));
}

function knownType(type: string): EventType | undefined {
  return isKnownType(type) ? type : undefined;
}

function typeOf(value: unknown): string {
  const type = (value as { type?: unknown } | null | undefined)?.type;
  return typeof type === "string" ? type : "";
}

function applySchema(schema: Schema, event: EventEnvelope): unknown {
  const result = schema["~standard"].validate(event.data["object"]);
  if (result instanceof Promise)
    throw new TypeError(
      `The schema for ${event.type} answers later; parsing needs one that answers at once.`,
    );
  if (result.issues === undefined) return result.value;
  throw new EventParseError(knownType(event.type), [
    { path: "data.object", message: "does not fit the schema that was given for it" },
  ]);
}
