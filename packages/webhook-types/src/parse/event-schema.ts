import * as z from "zod/mini";
import { compileAnswer, compileCheck, redact } from "@fieldmesh/core/schema";
import type { EventEnvelope, OpenRecord, UnknownEvent } from "../events/envelope.ts";
import type { EventType, WebhookEvent } from "../events/webhook-event.ts";
import { dataSchemas } from "../events/generated/data-schemas.ts";

// A Map, so that `constructor` is a type like any other that nobody knows.
const rows = new Map<string, () => z.core.$ZodType<OpenRecord>>(Object.entries(dataSchemas));
const schemas = new Map<string, z.core.$ZodType<EventEnvelope>>();

/** The schema of an event of any type: unknown ones share one. */
export function schemaOf(type: string): z.core.$ZodType<EventEnvelope> {
  return remembered(schemas, keyOf(type), makeSchema);
}

function makeSchema(type: string) {
  const row = rows.get(type);
  return envelope(row === undefined ? z.string() : z.literal(type), row?.() ?? z.looseObject({}));
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

type Decode = (value: unknown) => unknown;

/** One for all types; what is under `data` is looked at by itself. */
let isEnvelope: ((value: unknown) => boolean) | undefined;
const decodeData = new Map<string, Decode>();
/** Types whose `data` is of one schema share what it is compiled to. */
const decodeOf = new WeakMap<z.core.$ZodType, Decode>();

/**
 * Makes an event of a value that was parsed for it alone, in place; `undefined` for one that does not fit, of which
 * nothing is left to be used then. Compiled on first use, and it falls back quietly where there is no eval.
 */
export function decodeEvent(type: string, value: unknown): EventEnvelope | undefined {
  isEnvelope ??= compileCheck(envelope(z.string(), z.unknown()));
  if (!isEnvelope(value)) return undefined;
  const event = value as EventEnvelope;
  // One look-up for a type that was here before; unknown types are any text and must not fill a Map.
  const decode = decodeData.get(type) ?? remembered(decodeData, keyOf(type), compileData);
  const data = decode(event.data);
  if (data === z.INVALID) return undefined;
  event.data = data as EventEnvelope["data"];
  return event;
}

function compileData(type: string): Decode {
  const schema = (schemaOf(type) as ReturnType<typeof makeSchema>)._zod.def.shape.data;
  let decode = decodeOf.get(schema);
  if (decode === undefined) decodeOf.set(schema, (decode = compileAnswer(schema)));
  return decode;
}

export function isKnownType(type: string): type is EventType {
  return rows.has(type);
}

/**
 * Gives the zod schema of a known type, to validate stored events or to read its sensitive fields.
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
 * Copies an event with everything sensitive replaced by `[redacted]`: secrets, e-mails, phone numbers, addresses, texts,
 * signed links. Of a type that this version does not know, what the names of the fields tell.
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
  // What hides in the snapshot hides in its earlier values too.
  const { object } = (schema._zod.def.shape.data as z.ZodMiniObject)._zod.def.shape;
  if (data.previous_attributes)
    data.previous_attributes = redact(object, data.previous_attributes) as OpenRecord;
  return redacted;
}

function keyOf(type: string): string {
  return isKnownType(type) ? type : "";
}

function remembered<Value>(
  map: Map<string, Value>,
  key: string,
  make: (key: string) => Value,
): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make(key)));
  return value;
}
