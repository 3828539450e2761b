import { recordOf } from "@fieldmesh/core/internal";
import * as z from "@fieldmesh/core/internal/zod";
import { contractOf } from "@fieldmesh/core/internal/schema";
import type { Endpoint } from "@fieldmesh/http/internal";
import type { Match, Target } from "./router.ts";

/** What does not fit the schemas of a row. */
export interface Misfit {
  readonly part: "path" | "query" | "body";
  /** The way to the value, from the part down. */
  readonly path: readonly PropertyKey[];
  readonly issue: z.core.$ZodIssue;
  /** The value itself. */
  readonly value: unknown;
}

/** Puts path, query and body together as the flat input of a row, on the wire's side. */
export function inputOf(
  endpoint: Endpoint,
  { path, query, body }: Pick<Match, "path"> & Pick<Target, "query" | "body">,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(path))
    input[name] = readScalar(endpoint.path[name], text);
  for (const [name, schema] of Object.entries(endpoint.query)) {
    const text = query.get(name);
    if (text !== null) input[name] = readScalar(schema, text);
  }
  return { ...recordOf(body), ...input };
}

/** A path or query has only strings; where the row requires a number or a boolean, the string is parsed as one. */
function readScalar(schema: z.core.$ZodType | undefined, text: string): unknown {
  if (schema === undefined || z.safeParse(schema, text).success) return text;
  const value =
    text === "true" ? true : text === "false" ? false : text.trim() === "" ? text : Number(text);
  return z.safeParse(schema, value).success ? value : text;
}

/** The rules that an input must fit: those that the published spec states, or also those of running deployments. */
export type InputRules = "spec" | "observed";

/** Finds what does not fit. Fields that a row does not declare are not reported: the services ignore them. */
export function findMisfits(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  body: unknown,
  rules: InputRules,
): Misfit[] {
  const inPart = (part: "path" | "query") =>
    Object.entries(endpoint[part]).flatMap(([name, schema]) =>
      misfitsOf(part, schemaFor(rules, schema), input[name], [name]),
    );
  return [
    ...inPart("path"),
    ...inPart("query"),
    ...misfitsOf("body", schemaFor(rules, endpoint.body), body),
  ];
}

export function schemaFor<S extends z.core.$ZodType | undefined>(rules: InputRules, schema: S): S {
  return schema === undefined || rules === "observed" ? schema : contractOf(schema);
}

/** The same for a single value; without a schema everything fits. */
export function misfitsOf(
  part: Misfit["part"],
  schema: z.core.$ZodType | undefined,
  value: unknown,
  at: readonly PropertyKey[] = [],
): Misfit[] {
  const issues = schema === undefined ? [] : (z.safeParse(schema, value).error?.issues ?? []);
  return issues
    .filter(({ code }) => code !== "unrecognized_keys")
    .map((issue) => ({
      part,
      path: [...at, ...issue.path],
      issue,
      value: valueAt(value, issue.path),
    }));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
}

/**
 * Tells whether a request declares a JSON body. Only the media type counts: without a preflight request, a web page may send
 * `text/plain; x=json` to any address, but not `application/json`.
 */
export function isJson({ headers }: Pick<Request, "headers">): boolean {
  const [mediaType = ""] = (headers.get("content-type") ?? "").split(";");
  return mediaType.trim().toLowerCase() === "application/json";
}
