import { type EventDocuments, signatureHeader } from "./events.ts";
import type { Json } from "./shapes.ts";

/** Writes the AsyncAPI 3 document of the webhooks, as a receiver sees them. */
export function writeAsyncApi({ events, schemas, tags }: EventDocuments): Json {
  const messages = events.map(({ type, family, summary, text, sample }) => [
    type,
    {
      name: type,
      title: type,
      summary,
      description: [text.description, text.deprecated].filter(Boolean).join("\n\n"),
      contentType: "application/json",
      tags: [{ name: family }],
      headers: { $ref: "#/components/schemas/SignedHeaders" },
      payload: { $ref: `#/components/schemas/${type}` },
      examples: [{ name: "sample", payload: sample }],
    },
  ]);
  const refer = (start: string): Json[] =>
    events.map(({ type }) => ({ $ref: `${start}/messages/${type}` }));
  return {
    asyncapi: "3.1.0",
    info: {
      title: "Webhooks of the mobile connectivity service",
      version: "1",
      description:
        "Every event type, as the service posts it to a webhook endpoint. Types are additive: ignore those that you do not know. Deliveries may come more than once and in any order.",
      license: { name: "MIT" },
      tags,
    },
    defaultContentType: "application/json",
    channels: {
      webhookEndpoint: {
        // The receiver's own URL.
        address: null,
        messages: Object.fromEntries(
          events.map(({ type }) => [type, { $ref: `#/components/messages/${type}` }]),
        ) as Json,
      },
    },
    operations: {
      receiveEvent: {
        action: "receive",
        summary: "Receive an event",
        channel: { $ref: "#/channels/webhookEndpoint" },
        messages: refer("#/channels/webhookEndpoint"),
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
        ...(withLoneReferences(schemas) as Json),
      },
    },
  };
}

/** AsyncAPI's own schemas are of draft 7, where everything beside a $ref is ignored. */
function withLoneReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLoneReferences);
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withLoneReferences(item)]),
  );
  if ($ref === undefined) return rest;
  return Object.keys(rest).length === 0 ? { $ref } : { allOf: [{ $ref }], ...rest };
}
