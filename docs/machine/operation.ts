import { writeAnswers, writeErrors } from "./answers.ts";
import type { SchemaWriter } from "./json-schema.ts";
import type { Json } from "./shapes.ts";
import { CALLS, type Operation, type Row } from "./operations.ts";
import { writeParameters } from "./parameters.ts";
import type { Service } from "@fieldmesh/sandbox/services";
import type { SourceTypes } from "./source-types.ts";

/** Writes an operation: the rows of one method and path, merged. */
export function writeOperation(
  operation: Operation,
  service: Service,
  writer: SchemaWriter,
  types: SourceTypes,
): Json {
  const { rows } = operation;
  const [first] = rows;
  const parameters = writeParameters(operation, writer, types);
  const requestBody = writeBody(rows, writer);
  return {
    operationId: first.call,
    tags: [first.resource],
    summary: rows.map(summaryOf).join(", or "),
    description: writeDescription(operation),
    ...(rows.every(({ text }) => text.deprecated !== undefined) && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...writeAnswers(rows, writer, types), ...writeErrors(rows, service) },
    [CALLS]: rows.map(({ call }) => call),
    "x-codeSamples": rows.flatMap(({ call, text }) =>
      text.example === undefined
        ? []
        : [
            {
              lang: "TypeScript",
              label: call,
              source: text.example.replace(/^```ts\n|\n```$/g, ""),
            },
          ],
    ),
  };
}

/** The first sentence, without its full stop. */
function summaryOf({ text, call }: Row, index: number): string {
  const [sentence = call] = /^[^]+?(?=[.:;](\s|$)|$)/.exec(text.description ?? "") ?? [];
  return index === 0 ? sentence : sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function writeDescription({ rows }: Operation): string {
  const texts = rows.map(({ call, text, endpoint }) => {
    const { oneOf, route } = endpoint;
    const parts = [
      text.description ?? "",
      ...(text.deprecated === undefined ? [] : [`Deprecated: ${text.deprecated}`]),
      ...(route.endsWith("/") ? [`The published contract writes it \`${route}\`.`] : []),
      ...(oneOf.length > 0 ? [`At least one of ${oneOf.join(", ")} must be given.`] : []),
    ].join("\n\n");
    return rows.length > 1 ? `**${call}**: ${parts}` : parts;
  });
  return texts.join("\n\n");
}

function writeBody(rows: Operation["rows"], writer: SchemaWriter): Json | undefined {
  const bodies = rows.flatMap((row) =>
    row.endpoint.body === undefined
      ? []
      : [
          {
            row,
            schema: writer.write(
              row.endpoint.body,
              { type: row.input, wire: row.wireInput },
              "request",
            ),
          },
        ],
  );
  const [first] = bodies;
  if (first === undefined) return undefined;
  const examples = bodies.map(({ row }) => [row.call, { value: bodyOf(row) }] as const);
  return {
    required: true,
    content: {
      "application/json": {
        schema: bodies.length === 1 ? first.schema : { oneOf: bodies.map(({ schema }) => schema) },
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
