import * as z from "@fieldmesh/core/internal/zod";
import { isFieldName, redact } from "@fieldmesh/core/internal/schema";
import { describeValue, getOrInsertComputed, isRecord } from "@fieldmesh/core/internal";
import type { Endpoint, Shape } from "../table/row.ts";
import type { ExtraQuery, QueryOptions } from "../options/call-options.ts";
import type { CallName } from "../errors/call-error.ts";
import { InputError } from "../errors/input-error.ts";
import { type Problem, hasNoField } from "../errors/problem.ts";
import { type WireRequest, encodeInput, writeRequest } from "./write-request.ts";
import { checkSegment, fillPath } from "../wire/url.ts";

/** A row with the values that are computed when it is bound. */
export interface BoundRow {
  readonly row: Endpoint;
  /** The method as in code, such as `labels.get`. */
  readonly call: string;
  readonly reserved: ReadonlyMap<string, ReadonlySet<string>>;
  /** A user's schema describes the whole body, even if that is a list. @default false - one record */
  readonly isWhole?: boolean;
}

export function nameOfCall({ call, row }: Pick<BoundRow, "call" | "row">): CallName {
  return { call, route: row.route };
}

/** How to encode an input. */
export interface EncodeOptions extends QueryOptions {
  /** Also checks rules that only running deployments enforce. */
  readonly observedRules: boolean;
}

/** Encodes an input to a request, or throws an InputError that names the problems of all parts. */
export function encodeRequest(
  { row, call, reserved }: BoundRow,
  base: URL,
  input: unknown,
  { query: extraQuery = {}, sentQuery = {}, observedRules }: EncodeOptions,
): WireRequest {
  const context = { call, route: row.route };
  const named = Object.keys({ ...row.path, ...row.query });
  if (input !== undefined && !isRecord(input)) {
    const example = named.length === 0 ? "" : ` such as { ${named.join(", ")} }`;
    const message = `the input must be an object${example}; it is ${describeValue(input)}`;
    throw new InputError(context, [{ path: "", message }]);
  }
  const fields = { ...input };
  const problems: Problem[] = [];
  const encode: Encode = (schema, value) => {
    const encoded = encodeInput(schema, value, observedRules);
    if (!("problems" in encoded)) return encoded.output;
    problems.push(...encoded.problems);
    return {};
  };
  const path = encodeShape(row.path, fields, encode);
  const query = encodeShape(row.query, fields, encode);
  const ofBody = Object.entries(fields).filter(([name]) => !named.includes(name));
  const rest = { ...row.fixed, ...Object.fromEntries(ofBody) };
  const body = encodeBody(row, rest, encode, problems);
  for (const [name, value] of Object.entries(path)) {
    const message = checkSegment(String(value), reserved.get(name));
    if (message !== undefined) problems.push({ path: name, message });
  }
  problems.push(...extraProblems(row, extraQuery));
  const [method = "", template = ""] = row.route.split(" ");
  const [route = "", fixedQuery] = template.split("?");
  return writeRequest(
    context,
    {
      method,
      base,
      path: () => fillPath(route, path),
      fixedQuery,
      query: Object.entries({ ...sentQuery, ...asText({ ...query, ...extraQuery }) }),
      body,
      redactInput(onHidden) {
        redact(undefined, extraQuery, onHidden);
        return {
          ...(redact(schemaOf(row.path), pick(fields, row.path), onHidden) as object),
          ...(redact(schemaOf(row.query), pick(fields, row.query), onHidden) as object),
          ...(row.body !== undefined && (redact(row.body, rest, onHidden) as object)),
        };
      },
    },
    problems,
  );
}

function extraProblems(row: Endpoint, extraQuery: ExtraQuery): Problem[] {
  return Object.entries(extraQuery).flatMap(([name, value]) => {
    const path = `options.query.${isFieldName(name) ? name : "[…]"}`;
    if (Object.hasOwn(row.query, name)) return [{ path, message: "is a field of the input" }];
    const isPlain = ["string", "number", "boolean"].includes(typeof value);
    return isPlain ? [] : [{ path, message: "must be a string, a number or a boolean" }];
  });
}

function asText(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

type Encode = (schema: z.core.$ZodType, value: unknown) => unknown;

function encodeBody(
  row: Endpoint,
  rest: Record<string, unknown>,
  encode: Encode,
  problems: Problem[],
): unknown {
  if (row.body !== undefined) return encode(row.body, rest);
  // A row without a body has no other fields: a misspelled name would be dropped silently.
  const unknown = Object.keys(rest).filter((key) => rest[key] !== undefined);
  if (unknown.length > 0) problems.push({ path: "", message: hasNoField(unknown) });
  return undefined;
}

function encodeShape(
  shape: Shape,
  fields: Record<string, unknown>,
  encode: Encode,
): Record<string, unknown> {
  if (Object.keys(shape).length === 0) return {};
  return encode(schemaOf(shape), pick(fields, shape)) as Record<string, unknown>;
}

const schemas = new WeakMap<Shape, z.core.$ZodType>();

function schemaOf(shape: Shape): z.core.$ZodType {
  return getOrInsertComputed(schemas, shape, z.object);
}

function pick(fields: Record<string, unknown>, shape: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(shape)
      .filter((key) => key in fields)
      .map((key) => [key, fields[key]]),
  );
}
