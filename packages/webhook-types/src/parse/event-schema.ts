import * as z from "zod/mini";
import { getOrInsertComputed } from "@fieldmesh/core";
import { redact } from "@fieldmesh/core/schema";
import type { EventEnvelope, OpenRecord, UnknownEvent } from "../events/envelope.ts";
import type { EventType, WebhookEvent } from "../events/webhook-event.ts";
import { dataSchemas } from "../events/generated/data-schemas.ts";

// A Map, so that `constructor` is an unknown type like any other.
const schemaMakers = new Map<string, () => z.core.$ZodType<OpenRecord>>(
  Object.entries(dataSchemas),
);
const schemas = new Map<string, z.core.$ZodType<EventEnvelope>>();

/** The schema of an event of any type: unknown ones share one. */
export function schemaOf(type: string): z.core.$ZodType<EventEnvelope> {
  return getOrInsertComputed(schemas, keyOf(type), makeSchema);
}

function makeSchema(type: string) {
  const makeData = schemaMakers.get(type);
  return envelope(
    makeData === undefined ? z.string() : z.literal(type),
    makeData?.() ?? z.looseObject({}),
  );
}

const envelope = <Type extends z.core.$ZodType, Data extends z.core.$ZodType>(
  type: Type,
  data: Data,
) =>
  z.looseObject({
    id: z.string(),
    type,
    created_at: z.string(),
    livemode: z.boolean(),
    data,
    idempotency_key: z.string(),
  });

export function isKnownType(type: string): type is EventType {
  return schemaMakers.has(type);
}

/**
 * Returns the zod schema of a known type, to validate stored events or to read its sensitive fields.
 *
 * @example
 * ```ts
 * z.safeParse(eventSchema("sim.activated"), stored);
 * ```
 */
export function eventSchema<Type extends EventType>(
  type: Type,
): z.core.$ZodType<WebhookEvent<Type>> {
  return schemaOf(type) as z.core.$ZodType<WebhookEvent<Type>>;
}

/**
 * Copies an event with everything sensitive replaced by `[redacted]`: secrets, e-mails, phone numbers, addresses, message
 * texts, signed links. In an event of an unknown type, sensitive fields are recognized by their names.
 *
 * @example
 * ```ts
 * logger.info({ event: redactEvent(event) });
 * ```
 */
export function redactEvent(event: WebhookEvent | UnknownEvent): unknown {
  const schema = schemaOf(event.type) as ReturnType<typeof makeSchema>;
  const redacted = redact(schema, event) as EventEnvelope;
  const { data } = redacted;
  // A field that is sensitive in the snapshot is sensitive in its earlier values too.
  const { object } = (schema._zod.def.shape.data as z.ZodMiniObject)._zod.def.shape;
  if (data.previous_attributes)
    data.previous_attributes = redact(object, data.previous_attributes) as OpenRecord;
  return redacted;
}

function keyOf(type: string): string {
  return isKnownType(type) ? type : "";
}
