import type * as z from "zod";
import { describe, isRequired, type SchemaWriter } from "./json-schema.ts";
import { OBSERVED, withObservedValues } from "./observed-rules.ts";
import { CALLS, type Operation, type Row } from "./operations.ts";
import type { Json } from "./shapes.ts";

/** Writes the parameters of an operation: those of all its rows, needed only where every row needs them. */
export function writeParameters(operation: Operation, writer: SchemaWriter): Json[] {
  const { rows } = operation;
  return [
    ...pathParameters(operation, writer),
    ...queryParameters(rows, writer),
    ...(rows.some(({ endpoint }) => endpoint.idempotencyKey) ? [IDEMPOTENCY_KEY] : []),
  ];
}

const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "The key of the call, the same for every attempt. The service carries out a call only once for each key (observed).",
  [OBSERVED]: true,
  schema: { type: "string" },
};

function pathParameters({ path, rows }: Operation, writer: SchemaWriter): Json[] {
  const [row] = rows;
  const names = Object.keys(row.endpoint.path);
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""], index) => {
    // A row may have another name for it, see withSharedNames.
    const own = names.includes(name) ? name : (names[index] ?? name);
    const schema = row.endpoint.path[own];
    return parameter("path", name, own, row, schema, true, writer);
  });
}

function queryParameters(rows: Operation["rows"], writer: SchemaWriter): Json[] {
  const names = new Set(
    rows.flatMap(({ endpoint, fixedQuery }) => Object.keys({ ...endpoint.query, ...fixedQuery })),
  );
  return [...names].map((name) => {
    const taking = rows.filter(
      ({ endpoint, fixedQuery }) => name in fixedQuery || name in endpoint.query,
    );
    const needing = taking.filter(
      ({ endpoint: { query }, fixedQuery }) =>
        name in fixedQuery || (query[name] && isRequired(query[name])),
    );
    const isAlways = needing.length === rows.length;
    const row = taking[0] ?? rows[0];
    const value = row.fixedQuery[name];
    const written =
      value === undefined
        ? parameter("query", name, name, row, row.endpoint.query[name], isAlways, writer)
        : fixedParameter(name, value, isAlways);
    if (taking.length === rows.length) return written;
    const need = needing.length === taking.length ? ", which needs it" : "";
    const forWhich = `For ${taking.map(({ call }) => call).join(" and ")}${need}.`;
    const description = [written["description"], forWhich].filter(Boolean).join(" ");
    return { ...written, description, [CALLS]: taking.map(({ call }) => call) };
  });
}

/** A parameter of the route itself. */
function fixedParameter(name: string, value: string, required: boolean): Json {
  return { name, in: "query", required, schema: { type: "string", enum: [value] }, example: value };
}

function parameter(
  where: "path" | "query",
  name: string,
  own: string,
  { input, endpoint }: Row,
  schema: z.core.$ZodType | undefined,
  required: boolean,
  writer: SchemaWriter,
): Json {
  const example = (endpoint.sample.input as Json)[own];
  return {
    name,
    in: where,
    required,
    ...describe(writer.types.textOfField(input, own)),
    schema: schema
      ? withObservedValues(
          own,
          writer.write(schema, { type: writer.types.field(input, own) }, "none"),
        )
      : {},
    ...(example !== undefined && { example }),
  };
}
