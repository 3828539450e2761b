import { type DataResult, kindOf, type PageResult, type Result } from "@fieldmesh/http/internal";
import type * as z from "zod";
import type { Known, SchemaWriter } from "./json-schema.ts";
import { hasObservedSuccess, isObservedStatus } from "./error-marks.ts";
import { MARK, OBSERVED } from "./observed-rules.ts";
import { anyOf, type Json } from "./shapes.ts";
import type { Operation, Row } from "./operations.ts";
import type { Service } from "@fieldmesh/sandbox/internal/services";

/** Writes the responses of success: by status, and strings apart from JSON. */
export function writeResponses(
  rows: Operation["rows"],
  service: Service,
  writer: SchemaWriter,
): Json {
  const isObserved = hasObservedSuccess(service);
  const byStatus = Map.groupBy(rows, ({ endpoint }) => endpoint.status);
  const responses = [...byStatus].map(([status, some]) => {
    const forms = some.flatMap((row) => formsOf(row, writeResult(row, writer)));
    // JSON is first, because some generators read the first media type only.
    forms.sort((a, b) => a.mediaType.localeCompare(b.mediaType));
    const content = [...Map.groupBy(forms, ({ mediaType }) => mediaType)].map(
      ([mediaType, those]) => {
        const examples = those.flatMap(({ example }) => (example ? [example] : []));
        const schema = anyOf(those.map((form) => form.schema));
        return [
          mediaType,
          {
            schema,
            ...(examples.length > 0 && { examples: Object.fromEntries(examples) as Json }),
          },
        ];
      },
    );
    return [
      status,
      {
        description: `The result of ${some.map(({ call }) => `\`${call}\``).join(" or ")}${isObserved ? ` ${MARK}` : ""}`,
        ...(isObserved && { [OBSERVED]: true }),
        content: Object.fromEntries(content) as Json,
      },
    ];
  });
  return Object.fromEntries(responses) as Json;
}

/** The response of a row in one media type. */
interface Form {
  readonly mediaType: string;
  readonly schema: Json;
  /** By the name of the call. */
  readonly example?: readonly [string, Json];
}

/** A string is text/plain and not JSON, also where a deployment may send either. */
function formsOf({ call, endpoint }: Row, schema: Json): Form[] {
  const value: unknown = endpoint.sample.output;
  const members = (schema["anyOf"] as Json[] | undefined) ?? [schema];
  return [...Map.groupBy(members, ({ type }) => type === "string")].map(([isText, those]) => ({
    mediaType: isText ? "text/plain" : "application/json",
    schema: anyOf(those),
    ...(isText === (typeof value === "string") && { example: [call, { value }] as const }),
  }));
}

function writeResult({ endpoint, output, wireOutput }: Row, writer: SchemaWriter): Json {
  const { result } = endpoint;
  const { types } = writer;
  const inside = types.field(wireOutput, "data");
  const write = (schema: z.core.$ZodType, known: Known): Json =>
    writer.write(schema, known, "response");
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
      return write(result as z.core.$ZodType, { type: output, wire: wireOutput });
  }
}

const CURSOR: Json = {
  type: "string",
  description: "The cursor of the next page, absent on the last page. An empty page may have one.",
};

function schemaIn(result: Result): z.core.$ZodType {
  return (result as DataResult | PageResult).schema;
}

function enveloped(data: Json, beside: Json): Json {
  // A record has its text where it is declared.
  const described = "$ref" in data ? data : { description: "The result of the call.", ...data };
  return { type: "object", properties: { data: described, ...beside }, required: ["data"] };
}

/** Writes what the rows and the service say of each error status. */
export function writeErrors(rows: Operation["rows"], service: Service): Json {
  const meanings = new Map<number, Set<string>>();
  const all = [...rows.flatMap(errorsOf), ...Object.entries(service.errors)];
  for (const [status, meaning] of all)
    meanings.set(Number(status), (meanings.get(Number(status)) ?? new Set()).add(meaning));
  const written = [...meanings].map(([status, texts]) => {
    const types = service.errorTypes[status] ?? ["application/json"];
    const content = types.map((type) => [type, { schema: ERROR_SCHEMAS[type] }]);
    const isObserved = [...texts].every((text) => text.endsWith(MARK));
    const response = {
      description: [...texts].join("; "),
      ...(isObserved && { [OBSERVED]: true }),
      content: Object.fromEntries(content) as Json,
    };
    return [status, response];
  });
  return Object.fromEntries(written) as Json;
}

/** The errors of a row by status, with the mark of those that the contract does not state. */
function errorsOf(row: Row): [status: string, meaning: string][] {
  return Object.entries(row.endpoint.errors).map(([status, meaning]) => [
    status,
    isObservedStatus(row, Number(status)) ? `${meaning} ${MARK}` : meaning,
  ]);
}

const ERROR_SCHEMAS: Readonly<Record<string, Json>> = {
  "text/plain": { type: "string" },
  "application/json": { $ref: "#/components/schemas/ErrorBody" },
};
