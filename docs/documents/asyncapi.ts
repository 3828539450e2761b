import { type EventDocuments, signatureHeader } from "./events.ts";
import type { Json } from "./shapes.ts";

/** Writes the AsyncAPI 3 document of the webhooks, as a receiver sees them. */
export function writeAsyncApi({ events, schemas, tags }: EventDocuments): Json {
  const messages = events.map(({ type, name, family, summary, text, sample }) => [
    name,
    {
      name: type,
      title: type,
      summary,
      description: [text.description, text.deprecated].filter(Boolean).join("\n\n"),
      contentType: "application/json",
      tags: [{ name: family }],
      headers: { $ref: "#/components/schemas/SignedHeaders" },
      payload: { $ref: `#/components/schemas/${name}` },
      examples: [{ name: "sample", payload: sample }],
    },
  ]);
  const refer = (start: string): Json[] =>
    events.map(({ name }) => ({ $ref: `${start}/messages/${name}` }));
  return {
    // Its generator makes no models of 3.1.
    asyncapi: "3.0.0",
    info: {
      title: "Webhooks of the mobile connectivity service",
      version: "1",
      description:
        "Every event type, as the service posts it to a webhook endpoint. Types are additive: ignore those that you do not know. Deliveries may come more than once and in any order (observed).",
      license: { name: "MIT" },
      tags,
    },
    defaultContentType: "application/json",
    channels: {
      // The name that generators give to the union of all events.
      webhookEvent: {
        // The receiver's own URL.
        address: null,
        messages: Object.fromEntries(
          events.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }]),
        ) as Json,
      },
    },
    operations: {
      receiveEvent: {
        action: "receive",
        summary: "Receive an event",
        channel: { $ref: "#/channels/webhookEvent" },
        messages: refer("#/channels/webhookEvent"),
      },
    },
    components: {
      messages: Object.fromEntries(messages) as Json,
      schemas: {
        SignedHeaders: {
          type: "object",
          properties: {
            [signatureHeader.name]: {
              ...signatureHeader.schema,
              description: signatureHeader.description,
            },
          },
          required: [signatureHeader.name],
        },
        ...(forModels(schemas) as Json),
      },
    },
  };
}

/**
 * Schemas that the generator of AsyncAPI turns into models: a $ref alone, because draft 7 ignores what is beside it, and
 * no `const` of a boolean, which it makes a field without an initial value.
 */
function forModels(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forModels);
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value) return { $ref: value.$ref };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => key !== "const" || typeof item !== "boolean")
      .map(([key, item]) => [key, forModels(item)]),
  );
}
