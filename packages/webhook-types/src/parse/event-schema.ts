import * as z from "zod/mini";
import { getOrInsertComputed } from "@fieldmesh/core";
import type { EventEnvelope, OpenRecord } from "../events/envelope.ts";
import type { EventType, WebhookEvent } from "../events/webhook-event.ts";
import { dataSchemas } from "../events/generated/data-schemas.ts";

// A Map, so that `constructor` is an unknown type like any other.
const schemaMakers = new Map<string, () => z.core.$ZodType<OpenRecord>>(
  Object.entries(dataSchemas),
);
const schemas = new Map<string, z.core.$ZodType<EventEnvelope>>();

/** Returns the schema of an event of any type. All unknown types share one. */
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
  return schemaOf(type) as z.core.$ZodType<WebhookEvent<Type>>;
}

/** Returns the fields of the `data` of a known type. */
export function dataShapeOf(type: string): DataShape | undefined {
  if (!isKnownType(type)) return undefined;
  const { data } = (schemaOf(type) as ReturnType<typeof makeSchema>)._zod.def.shape;
  return (data as z.ZodMiniObject)._zod.def.shape as unknown as DataShape;
}

/** The fields of the data of an event. Every type has a snapshot. */
export type DataShape = Readonly<Record<string, z.core.$ZodType>> & {
  readonly object: z.core.$ZodType;
};

function keyOf(type: string): string {
  return isKnownType(type) ? type : "";
}
