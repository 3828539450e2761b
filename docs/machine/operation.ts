import type { DataResult, PageResult, Result } from "@fieldmesh/http";
import { kindOf } from "@fieldmesh/http";
import type * as z from "zod";
import {
  anyOf,
  describe,
  isRequired,
  type Json,
  type Known,
  type SchemaWriter,
} from "./json-schema.ts";
import type { Operation, Row } from "./operations.ts";
import type { ServiceFacts } from "./services.ts";
import type { SourceTypes } from "./source-types.ts";

/** The field in which a document says which calls of our client an operation stands for. */
export const CALLS = "x-fieldmesh-calls";

/** Writes an operation: the rows of one method and path, merged. */
export function writeOperation(
  operation: Operation,
  service: ServiceFacts,
  writer: SchemaWriter,
  types: SourceTypes,
): Json {
  const { rows } = operation;
  const [first] = rows;
  const parameters = [
    ...pathParameters(operation, writer, types),
    ...queryParameters(rows, writer, types),
    ...(rows.some(({ endpoint }) => endpoint.idempotencyKey) ? [IDEMPOTENCY_KEY] : []),
  ];
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

const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same for every attempt of one call, so that it is carried out once.",
  schema: { type: "string" },
};

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

function pathParameters(
  { path, rows }: Operation,
  writer: SchemaWriter,
  types: SourceTypes,
): Json[] {
  const [row] = rows;
  const names = Object.keys(row.endpoint.path);
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""], index) => {
    // A row may have another name for it, see withSharedNames.
    const own = names.includes(name) ? name : (names[index] ?? name);
    const schema = row.endpoint.path[own];
    return parameter("path", name, own, row, schema, true, writer, types);
  });
}

function queryParameters(
  rows: Operation["rows"],
  writer: SchemaWriter,
  types: SourceTypes,
): Json[] {
  const names = new Set(
    rows.flatMap(({ endpoint, fixedQuery }) => [
      ...Object.keys(endpoint.query),
      ...Object.keys(fixedQuery),
    ]),
  );
  return [...names].map((name) => {
    const needing = rows.filter(
      ({ endpoint, fixedQuery }) =>
        name in fixedQuery || (endpoint.query[name] && isRequired(endpoint.query[name])),
    );
    const taking = rows.filter(
      ({ endpoint, fixedQuery }) => name in fixedQuery || endpoint.query[name],
    );
    const isAlways = needing.length === rows.length;
    const row = taking[0] ?? rows[0];
    const value = row.fixedQuery[name];
    const whole =
      value === undefined
        ? parameter("query", name, name, row, row.endpoint.query[name], isAlways, writer, types)
        : { name, in: "query", required: isAlways, schema: { type: "string", enum: [value] } };
    if (rows.length === 1) return whole;
    const forWhich = isAlways
      ? ""
      : `For ${taking.map(({ call }) => call).join(" and ")}${needing.length > 0 ? ", which needs it" : ""}.`;
    return { ...whole, description: [whole["description"], forWhich].filter(Boolean).join(" ") };
  });
}

function parameter(
  where: "path" | "query",
  name: string,
  own: string,
  { input, endpoint }: Row,
  schema: z.ZodType | undefined,
  required: boolean,
  writer: SchemaWriter,
  types: SourceTypes,
): Json {
  const example = (endpoint.sample.input as Json)[own];
  return {
    name,
    in: where,
    required,
    ...describe(types.textOfField(input, own)),
    schema: schema ? writer.write(schema, { type: types.field(input, own) }, "none") : {},
    ...(example !== undefined && { example }),
  };
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

function writeAnswers(rows: Operation["rows"], writer: SchemaWriter, types: SourceTypes): Json {
  const byStatus = Map.groupBy(rows, ({ endpoint }) => endpoint.status);
  const answers = [...byStatus].map(([status, some]) => {
    const byType = Map.groupBy(some, ({ endpoint }) =>
      kindOf(endpoint.result) === "text" ? "text/plain" : "application/json",
    );
    const content = [...byType].map(([mediaType, those]) => {
      const schemas = those.map((row) => writeResult(row, writer, types));
      const examples = those.map(({ call, endpoint }) => [call, { value: endpoint.sample.output }]);
      const example = Object.fromEntries(examples) as Json;
      return [mediaType, { schema: anyOf(schemas), examples: example }];
    });
    return [
      status,
      {
        description: `What ${some.map(({ call }) => `\`${call}\``).join(" or ")} gives`,
        content: Object.fromEntries(content) as Json,
      },
    ];
  });
  return Object.fromEntries(answers) as Json;
}

function writeResult(
  { endpoint, output, wireOutput }: Row,
  writer: SchemaWriter,
  types: SourceTypes,
): Json {
  const { result } = endpoint;
  const inside = types.field(wireOutput, "data");
  const write = (schema: z.ZodType, known: Known): Json => writer.write(schema, known, "response");
  switch (kindOf(result)) {
    case "text":
      return { type: "string" };
    case "data":
      return enveloped(write(schemaIn(result), { type: output, wire: inside }), {});
    case "page": {
      const items = write(schemaIn(result), { type: output, wire: types.element(inside) });
      return enveloped({ type: "array", items }, { cursor: CURSOR });
    }
    case "plain":
      return write(result as z.ZodType, { type: output, wire: wireOutput });
  }
}

const CURSOR: Json = {
  type: "string",
  description:
    "The token to the next page; absent on the last one. A page may be empty and still have it.",
};

function schemaIn(result: Result): z.ZodType {
  return (result as DataResult | PageResult).schema;
}

function enveloped(data: Json, beside: Json): Json {
  return { type: "object", properties: { data, ...beside }, required: ["data"] };
}

function writeErrors(rows: Operation["rows"], { errors, textErrors }: ServiceFacts): Json {
  const meanings = new Map<string, Set<string>>();
  const all = [...rows.map(({ endpoint }) => endpoint.errors), errors];
  for (const [status, meaning] of all.flatMap((each) => Object.entries(each)))
    meanings.set(status, (meanings.get(status) ?? new Set()).add(meaning));
  const written = [...meanings].map(([status, texts]) => [
    status,
    {
      description: [...texts].join("; "),
      content: textErrors.includes(Number(status))
        ? { "text/plain": { schema: { type: "string" } } }
        : { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } },
    },
  ]);
  return Object.fromEntries(written) as Json;
}
