import * as z from "@fieldmesh/core/internal/zod";
import { isSecret, stringifyJson } from "@fieldmesh/core";
import {
  type WhyHidden,
  contractOf,
  isFieldName,
  isPlainObject,
  limited,
} from "@fieldmesh/core/internal/schema";
import type { CallName } from "../errors/call-error.ts";
import { InputError } from "../errors/input-error.ts";
import { OWN_MESSAGES_ONLY, type Problem, toProblems } from "../errors/problem.ts";
import { buildUrl } from "../wire/url.ts";

/** The encoded and checked request, without its credential. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  /** The decoded query of the URL, without the part that the route contains. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Returns the input in the form for hooks. `onHidden` receives each hidden string, also those from other parts of the query. */
  readonly redactInput: (onHidden: (text: string, why: WhyHidden) => void) => unknown;
}

/** The checked parts of a request. */
export interface RequestParts extends Pick<WireRequest, "method" | "redactInput"> {
  readonly base: URL;
  /** Returns the encoded path below the base URL. Called when nothing is wrong. */
  readonly path: () => string;
  /** A query that is a part of the route. */
  readonly fixedQuery?: string | undefined;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
}

/** Writes a request. Throws an InputError that names all problems: those that were found before, and those of query and body. */
export function writeRequest(
  context: CallName,
  { method, base, path, fixedQuery, query, body, redactInput }: RequestParts,
  found: readonly Problem[],
): WireRequest {
  const problems = [...found, ...queryProblems(query)];
  const json = body === undefined ? undefined : writeBody(body, problems);
  if (problems.length > 0) throw new InputError(context, problems);
  return {
    method,
    url: buildUrl(base, path(), query, fixedQuery),
    query: Object.fromEntries(query),
    body: json,
    redactInput,
  };
}

function queryProblems(query: RequestParts["query"]): Problem[] {
  return query
    .filter(([name, value]) => !name.isWellFormed() || !value.isWellFormed())
    .map(([name]) => ({
      path: isFieldName(name) ? name : "query",
      message: "contains half of a surrogate pair",
    }));
}

/** A secret in an undeclared field is meant to be sent, so it is revealed here, where nothing is printed. */
function writeBody(body: unknown, problems: Problem[]): string | undefined {
  try {
    if (!isLostInJson(body)) return stringifyJson(body, { reveal: true });
  } catch {
    // The body contains itself. The message of the runtime may show a value.
  }
  problems.push({ path: "body", message: "cannot be written as JSON" });
  return undefined;
}

/** JSON turns a Map, FormData or a stream into `{}`, and bytes into an object of numbers. */
function isLostInJson(body: unknown): boolean {
  if (typeof body !== "object" || body === null || Array.isArray(body) || isSecret(body))
    return false;
  if (ArrayBuffer.isView(body)) return true;
  return !isPlainObject(body) && Object.keys(body).length === 0 && !("toJSON" in body);
}

/** The end of a problem with a rule that only running deployments enforce. */
export const OBSERVED_ADVICE = "(observed; `observedRules: false` turns this off)";

/** Encodes an input by its schema. A problem says so if only an observed rule causes it. */
export function encodeInput(
  schema: z.core.$ZodType,
  value: unknown,
  observedRules: boolean,
): EncodedInput {
  const contract = contractOf(schema);
  const encoded = encode(observedRules ? schema : contract, value);
  if (!("problems" in encoded)) return encoded;
  const stated = encode(contract, value);
  const statedPaths = new Set("problems" in stated ? stated.problems.map(({ path }) => path) : []);
  return {
    problems: encoded.problems.map((problem) =>
      statedPaths.has(problem.path)
        ? problem
        : { ...problem, message: `${problem.message} ${OBSERVED_ADVICE}` },
    ),
  };
}

type EncodedInput = { readonly output: unknown } | { readonly problems: readonly Problem[] };

function encode(schema: z.core.$ZodType, value: unknown): EncodedInput {
  const encoded = z.safeEncode(limited(schema), value, OWN_MESSAGES_ONLY);
  return encoded.success
    ? { output: encoded.data }
    : { problems: toProblems(encoded.error.issues, value) };
}
