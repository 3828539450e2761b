import * as z from "@fieldmesh/core/internal/zod";
import { type AnyRecord, getOrInsertComputed } from "@fieldmesh/core/internal";
import { driftIssue } from "@fieldmesh/core/internal/schema";
import type { OpenRecord } from "../events/envelope.ts";
import type { EventType, WebhookEvent } from "../events/webhook-event.ts";
import { dataSchemas } from "../events/generated/data-schemas.ts";
import { isStamp } from "../events/statements.ts";

// A Map, so that `constructor` is an unknown type like any other.
const schemaMakers = new Map<string, () => z.core.$ZodType<OpenRecord>>(
  Object.entries(dataSchemas),
);
const schemas = new Map<string, EventSchema>();
const schemasByData = new WeakMap<z.core.$ZodType<OpenRecord>, EventSchema>();
const exactSchemas = new Map<string, EventSchema>();

/** Types with the same data share a schema, and so do all unknown types: fewer are compiled, and the engine optimizes each sooner. */
export function schemaOf(type: string): EventSchema {
  return getOrInsertComputed(schemas, isKnownType(type) ? type : "", makeSchema);
}

function makeSchema(type: string): EventSchema {
  const ofData = schemaMakers.get(type)?.() ?? z.looseObject({});
  return getOrInsertComputed(schemasByData, ofData, (data) => envelope(z.string(), data));
}

type EventSchema = ReturnType<typeof envelope>;

const envelope = (type: z.core.$ZodType<string>, data: z.core.$ZodType<OpenRecord>) =>
  z
    .looseObject({
      id: z.string(),
      type,
      created_at: z.string(),
      livemode: z.boolean(),
      data,
      idempotency_key: z.string(),
    })
    .check(stated);

/** What the spec says about every envelope. */
const stated: z.core.CheckFn<AnyRecord> = ({ value: { id, created_at: time }, issues }) => {
  if (!String(id).startsWith("evt_"))
    issues.push(driftIssue(["id"], "expected evt_…", "unless-strict"));
  if (!isStamp(time) || !UTC.test(String(time)))
    issues.push(driftIssue(["created_at"], "expected ISO 8601 in UTC", "unless-strict"));
};

const UTC = /(?:Z|[+-]00:?00)$/i;

export function isKnownType(type: string): type is EventType {
  return schemaMakers.has(type);
}

/**
 * Returns the zod schema of a known type. Use it to validate stored events, or to read which fields are sensitive.
 *
 * @example
 * ```ts
 * z.safeParse(eventSchema("sim.activated"), stored);
 * ```
 */
export function eventSchema<Type extends EventType>(
  type: Type,
): z.core.$ZodType<WebhookEvent<Type>> {
  const schema = isKnownType(type)
    ? getOrInsertComputed(exactSchemas, type, () => envelope(z.literal(type), dataOf(type)))
    : schemaOf(type);
  return schema as z.core.$ZodType as z.core.$ZodType<WebhookEvent<Type>>;
}

export function dataShapeOf(type: string): DataShape | undefined {
  if (!isKnownType(type)) return undefined;
  return (dataOf(type) as z.ZodMiniObject)._zod.def.shape as unknown as DataShape;
}

function dataOf(type: string): z.core.$ZodType<OpenRecord> {
  return schemaOf(type)._zod.def.shape.data;
}

/** The fields of the data of an event. Every type has a snapshot. */
export type DataShape = Readonly<Record<string, z.core.$ZodType>> & {
  readonly object: z.core.$ZodType;
};
