import { earlierEventTypes, eventTypes, type EventType } from "@fieldmesh/webhook-types";
import { eventSchema } from "@fieldmesh/webhook-types/parse";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { parseJson, stringifyJson } from "@fieldmesh/core";
import { createSchemaWriter } from "./json-schema.ts";
import type { Json } from "./shapes.ts";
import { EVENTS_FILE, type SourceTypes, type Text } from "./source-types.ts";

/** An event type as every document shows it. */
export interface EventDocument {
  readonly type: EventType;
  /** The name of its component, see {@link eventTypeNames}. */
  readonly name: string;
  readonly family: string;
  readonly summary: string;
  readonly text: Text;
  readonly sample: unknown;
}

/** The parts of documents that come from the catalog. */
export interface EventDocuments {
  readonly events: readonly EventDocument[];
  /** The schemas of the events, of their `data` and of the records in it, by name. */
  readonly schemas: Readonly<Record<string, Json>>;
  readonly tags: readonly Json[];
  /** For an OpenAPI document. */
  readonly webhooks: Json;
}

/** The header of a signed message (observed). */
export const signatureHeader = {
  name: "Platform-Signature",
  description:
    "`t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `t`, a dot and the raw body, keyed with the endpoint's secret (observed).",
  schema: { type: "string" },
} as const;

/** Writes what the catalog says, for pages with the types in TypeScript. */
export function writeEvents(types: SourceTypes, options?: { withTypes: boolean }): EventDocuments {
  const writer = createSchemaWriter(types, COMPONENTS, options);
  const map = types.declaredIn(EVENTS_FILE, "EventMap");
  const families = types.declaredIn(EVENTS_FILE, "FamilyMap");
  const ofEvents = new Map<string, Json>();
  const events = eventTypes.map((type): EventDocument => {
    const text = types.textOfField(map, type);
    const shape = writer.write(eventSchema(type), { type: types.field(map, type) }, "none");
    const { event: name, data: nameOfData } = eventTypeNames(type);
    const properties = shape["properties"] as { readonly data: Json };
    const isNamed = "$ref" in properties.data;
    if (!isNamed) ofEvents.set(nameOfData, { title: nameOfData, ...properties.data });
    ofEvents.set(name, {
      title: name,
      description: text.description,
      ...shape,
      properties: { ...properties, ...(!isNamed && { data: { $ref: COMPONENTS + nameOfData } }) },
    });
    return {
      type,
      name,
      family: type.split(".")[0] ?? type,
      summary: /^[^]+?(?=[.;](\s|$)|$)/.exec(text.description ?? "")?.[0] ?? type,
      text,
      sample: parseJson(stringifyJson(sampleEvent(type), { reveal: true })),
    };
  });
  const tags = types.fieldsOf(families).map((name) => ({
    name,
    description: types.nameOf(types.field(families, name))?.text.description ?? name,
  }));
  return {
    events,
    schemas: Object.fromEntries(
      [...ofEvents, ...writer.components].sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    tags,
    webhooks: Object.fromEntries(events.map((event) => [event.type, { post: webhook(event) }])),
  };
}

const COMPONENTS = "#/components/schemas/";
const earlier: ReadonlySet<string> = new Set(earlierEventTypes);

/**
 * The names of the components of an event type. Generators drop dots and underscores, which alone keep
 * `port.out_completed` and the earlier `port_out.completed` apart.
 */
function eventTypeNames(type: EventType): { readonly event: string; readonly data: string } {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const name = [...(earlier.has(type) ? ["Earlier"] : []), ...words].join("");
  return { event: `${name}Event`, data: `${name}Data` };
}

function webhook({ type, name, family, summary, text, sample }: EventDocument): Json {
  return {
    operationId: `receive.${name}`,
    tags: [family],
    summary,
    description: [text.description, text.deprecated].filter(Boolean).join("\n\n"),
    ...(earlier.has(type) && { deprecated: true }),
    // The signature is what tells who sends it.
    security: [],
    parameters: [{ ...signatureHeader, in: "header", required: true }],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: COMPONENTS + name },
          example: sample,
        },
      },
    },
    responses: {
      "2XX": {
        description: "It was handled; anything else makes the service deliver it again (observed)",
      },
      400: { description: "The signature or the body was not accepted" },
    },
  };
}
