import { writeResponses, writeErrors } from "./responses.ts";
import type { SchemaWriter } from "./json-schema.ts";
import type { Json } from "./shapes.ts";
import { CALLS, type Operation, type Row } from "./operations.ts";
import { writeParameters } from "./parameters.ts";
import type { Service } from "@fieldmesh/sandbox/internal/services";

/** Writes an operation: the rows of one method and path, merged. */
export function writeOperation(operation: Operation, service: Service, writer: SchemaWriter): Json {
  const { rows } = operation;
  const [first] = rows;
  const parameters = writeParameters(operation, writer);
  const requestBody = writeBody(rows, writer);
  return {
    operationId: first.call,
    tags: [first.resource],
    summary: rows.map(summaryOf).join(", or "),
    description: writeDescription(operation),
    ...(rows.every(({ text }) => text.deprecated !== undefined) && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...writeResponses(rows, service, writer), ...writeErrors(rows, service) },
    [CALLS]: rows.map(({ call }) => call),
    "x-codeSamples": rows.flatMap(({ call, text }) => {
      const source = text.example?.replace(/^```ts\n|\n```$/g, "");
      return source === undefined ? [] : [{ lang: "TypeScript", label: call, source }];
    }),
  };
}

/** The first sentence, without its full stop. */
function summaryOf({ text, call }: Row, index: number): string {
  const [sentence = call] = /^[^]+?(?=[.:;](\s|$)|$)/.exec(text.description ?? "") ?? [];
  return index === 0 ? sentence : sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function writeDescription({ rows }: Operation): string {
  const texts = rows.map(({ call, text, endpoint }) => {
    const { route } = endpoint;
    const parts = [
      text.description ?? "",
      ...(text.deprecated === undefined ? [] : [`Deprecated: ${text.deprecated}`]),
      ...(route.endsWith("/")
        ? [`In the published spec, the path ends with a slash: \`${route}\`.`]
        : []),
    ].join("\n\n");
    return rows.length > 1 ? `**${call}**: ${parts}` : parts;
  });
  return texts.join("\n\n");
}

function writeBody(rows: Operation["rows"], writer: SchemaWriter): Json | undefined {
  const schemas = rows.flatMap(({ endpoint: { body }, input, wireInput }) =>
    body === undefined ? [] : [writer.write(body, { type: input, wire: wireInput }, "request")],
  );
  if (schemas.length === 0) return undefined;
  const examples = rows
    .filter(({ endpoint }) => endpoint.body !== undefined)
    .map((row) => [row.call, { value: bodyOf(row) }] as const);
  return {
    required: true,
    content: {
      "application/json": {
        schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** What of a sample is not in path and query. */
function bodyOf({ endpoint }: Row): Json {
  const input = Object.entries(endpoint.sample.input as Json);
  return Object.fromEntries(
    input.filter(([name]) => !(name in endpoint.path) && !(name in endpoint.query)),
  );
}
