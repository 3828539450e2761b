// Why it is so: docs/decisions/18-secrets-in-events.md
import * as z from "@fieldmesh/core/internal/zod";
import { isRecord, type AnyRecord, readInput } from "@fieldmesh/core/internal";
import { sensitiveFields } from "@fieldmesh/core/internal/schema";
import { checkIsEvent } from "../events/is-event.ts";
import type { EventEnvelope, UnknownEvent } from "../events/envelope.ts";
import type { WebhookEvent } from "../events/webhook-event.ts";
import { type DataShape, dataShapeOf } from "./event-schema.ts";
import { codesOf, hideRepeated, REDACTED } from "./codes.ts";

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Copies the parts of an event that you may log: the envelope, and each field that this package declares for the type and that is
 * neither secret nor personal.
 *
 * A declared field becomes `[redacted]` if it is secret or personal (codes, email addresses, phone numbers, postal addresses,
 * messages, reasons that a person wrote, signed links), or if its value does not fit its type. Undeclared fields are left out.
 * For an unknown type, only the envelope is shown. A code of four characters or more is also hidden where another field repeats
 * it.
 *
 * @example
 * ```ts
 * logger.info({ event: redactEvent(event) });
 * ```
 */
export function redactEvent(event: WebhookEvent | UnknownEvent): unknown {
  checkIsEvent("redactEvent", event);
  return readInput("The argument of redactEvent", () => redact(event));
}

function redact(event: EventEnvelope): unknown {
  const { id, type, created_at, livemode, data, idempotency_key } = event;
  const shape = dataShapeOf(type);
  const codes = codesOf(event);
  return {
    id,
    type,
    created_at: show(text, created_at),
    livemode: show(flag, livemode),
    data:
      shape === undefined || !isRecord(data)
        ? REDACTED
        : hideRepeated(showData(shape, data), codes),
    idempotency_key: hideRepeated(show(text, idempotency_key), codes),
  };
}

// `validation: "off"` allows any value here.
const text = z.string();
const flag = z.boolean();

function showData(shape: DataShape, data: AnyRecord): AnyRecord {
  // A field that is sensitive in the snapshot is sensitive in its previous values too.
  return showFields({ ...shape, previous_attributes: shape.object }, data);
}

function showFields(shape: Shape, record: AnyRecord): AnyRecord {
  const declared = Object.entries(shape).filter(([name]) => Object.hasOwn(record, name));
  return Object.fromEntries(declared.map(([name, schema]) => [name, show(schema, record[name])]));
}

function show(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (sensitiveFields.get(schema)?.sensitivity !== undefined) return REDACTED;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
      return show(def.innerType, value);
    case "object":
      return isRecord(value) ? showFields(def.shape, value) : REDACTED;
    case "array":
      return Array.isArray(value) ? value.map((item) => show(def.element, item)) : REDACTED;
    case "unknown":
      return REDACTED;
    default:
      return z.safeParse(schema, value).success ? value : REDACTED;
  }
}
