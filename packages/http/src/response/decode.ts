// Why it is so: docs/decisions/05-strict-input-lenient-output.md
import * as z from "@fieldmesh/core/internal/zod";
import {
  defaultValidation,
  firstProblems,
  getOrInsertComputed,
  parseJson,
  recordOf,
  type SchemaIssue,
} from "@fieldmesh/core/internal";
import {
  asLists,
  compiled,
  countRecords,
  decodeLeniently,
  guess,
  hideNamed,
  isDrift,
  limited,
  record,
  redact,
  scrub,
  shown,
  type HoldsSecret,
} from "@fieldmesh/core/internal/schema";
import type { Endpoint } from "../table/row.ts";
import { OWN_MESSAGES_ONLY, toProblems, type Problem } from "../errors/problem.ts";
import type { ResponseValidationError } from "../errors/response-validation-error.ts";
import type { RawResponse } from "../wire/read-body.ts";
import type { BoundRow } from "../request/request.ts";
import { kindOf, type PageDetails } from "../table/result.ts";
import { applySchema, applyToOne } from "./apply-schema.ts";
import { invalid, isWebPage, NOT_EXACT, tooLarge, webPage, withoutSecrets } from "./rejections.ts";
import { isUnshown, whyNoRecord } from "./unshown.ts";
import type { ResponseToDecode } from "./response-to-decode.ts";

/** A decoded response. */
export interface DecodedResponse {
  /** What the method resolves to. */
  readonly output: unknown;
  /** The `meta` of its envelope, besides the record or the records. */
  readonly meta?: unknown;
}

/** Decodes a response to the output of the method. */
export async function decodeResponse(received: ResponseToDecode): Promise<DecodedResponse> {
  const { endpoint, response, value, schema } = received;
  const { row } = endpoint;
  if (response.dropped !== undefined) throw tooLarge(received);
  if (isWebPage(response.body)) throw webPage(received);
  const kind = kindOf(row.result);
  // The plain-text body of an open row may be in another encoding.
  if (response.isUtf8 === false && !(row.open !== false && value === response.body))
    throw invalid(received, [{ path: "", message: "is not UTF-8" }], NOT_EXACT);
  if (kind === "text") return { output: unquoted(response.body) };
  await countRecords(sizeOf(value));
  let output = decodeShallow(received, kind === "page");
  const envelope = output as { data?: unknown; meta?: unknown } | undefined;
  if (kind === "data") output = envelope?.data;
  // Without a body, the schema has nothing to check.
  const isEmpty = row.open === "optional" && output === undefined;
  if (schema !== undefined && !isEmpty)
    output = await (endpoint.isWhole === true
      ? applyToOne(received, schema, output, [])
      : applySchema(received, schema, output, kind === "page"));
  return { output, meta: kind === "plain" ? undefined : envelope?.meta };
}

/** How many records a body has. */
function sizeOf(value: unknown): number {
  const list = Array.isArray(value) ? value : recordOf(value)["data"];
  return Array.isArray(list) ? list.length : 1;
}

/** Decodes one record of a list, whose `index` is set. */
export function decodeRecord(received: Omit<ResponseToDecode, "value">): unknown {
  let value: unknown;
  try {
    value = parseJson(received.response.body);
  } catch {
    throw unreadableRecord(received, "not JSON");
  }
  return decodeShallow({ ...received, value }, false);
}

/** Creates the error for a record that cannot be read. It is thrown in every mode, because no record after it is read either. */
export function unreadableRecord(
  received: Omit<ResponseToDecode, "value">,
  why: "not JSON" | "not UTF-8" | "too long",
): ResponseValidationError {
  const { maxResponseBytes } = received.settings;
  const message =
    why === "too long" ? `is larger than maxResponseBytes (${maxResponseBytes})` : `is ${why}`;
  const advice = { "not JSON": NOT_JSON, "not UTF-8": NOT_EXACT, "too long": LONG_RECORD }[why];
  const path = `[${received.index}]`;
  return invalid({ ...received, value: undefined }, [{ path, message }], advice);
}

const NOT_JSON = "The call was carried out. Report the drift to the operator of the service.";
const LONG_RECORD =
  "The call was carried out. If you expect a record of that size, raise maxResponseBytes of the call.";

/** Returns a message without the quotes of a deployment that sends it as a JSON string. */
function unquoted(body: string): string {
  if (!body.startsWith('"')) return body;
  try {
    return JSON.parse(body) as string;
  } catch {
    return body;
  }
}

/** Hundreds of thousands of brackets exhaust the stack. No service sends them. */
function decodeShallow(received: ResponseToDecode, isPage: boolean): unknown {
  try {
    return decodeBody(received, isPage);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid(received, [{ path: "", message: "is nested too deeply to be read" }]);
  }
}

type DriftOptions = Parameters<ResponseToDecode["settings"]["reportDrift"]>[2];

function decodeBody(received: ResponseToDecode, isPage: boolean): unknown {
  const { endpoint, value } = received;
  const schema = compiled(limited(responseSchema(endpoint.row)));
  const decoded = z.safeDecode(schema, value, OWN_MESSAGES_ONLY);
  return decoded.success
    ? outputOf(received, () => decoded.data)
    : decodeMisfit(received, decoded.error.issues, isPage);
}

/** A response with this status has no body. */
const NO_CONTENT = 204;

/** Decodes a body that does not fit the schema: a page in another form, an error, or a record that has drifted. */
function decodeMisfit(
  received: ResponseToDecode,
  issues: readonly z.core.$ZodIssue[],
  isPage: boolean,
): unknown {
  const { endpoint, response, value, settings, index } = received;
  const { row, call } = endpoint;
  const { validation = defaultValidation() } = settings;
  const schema = responseSchema(row);
  const problemsOf = (found: readonly SchemaIssue[]): Problem[] =>
    firstProblems(toProblems(found, value, index === undefined ? [] : [index]));
  const report = (
    problems: Problem[],
    options: DriftOptions = { warn: validation === "warn" },
  ): void => {
    if (validation === "off" || problems.length === 0) return;
    settings.reportDrift({ call, route: row.route }, withoutSecrets(received, problems), options);
  };

  const mayBeNone = isUnshown(row) && !(isReplaced(received) && value != null);
  const whyNone = mayBeNone ? whyNoRecord(row, value, issues) : undefined;
  if (whyNone !== undefined) {
    // The contract states the status of a creation.
    const isSaid = row.open === "optional" && response.status === NO_CONTENT;
    if (!isSaid) report([whyNone], { warn: true, once: true });
    return undefined;
  }

  const page = pageIn(row, value);
  if (page !== value) {
    report(problemsOf(issues));
    return decodeBody({ ...received, value: page }, isPage);
  }

  const errors = issues.filter(
    (issue) => lacksRecord(endpoint, response, value) || !isDrift(schema, issue),
  );
  if (validation === "strict" && errors.length > 0) throw invalid(received, problemsOf(errors));

  const output = outputOf(received, () => decodeLeniently(schema, value));
  // Without its items and its cursor, a page would look like the last one.
  if (isPage && !isWholePage(output)) throw invalid(received, problemsOf(issues));
  report(problemsOf(isReplaced(received) ? errors : issues));
  return output;
}

/** Whether the user's schema replaces our guess at a record that the contract does not describe. */
function isReplaced({ schema, endpoint }: ResponseToDecode): boolean {
  return schema !== undefined && endpoint.row.open !== false;
}

/** Returns the decoded body without its secrets. A schema of the user receives what was sent, and what it returns is not changed. */
function outputOf(received: ResponseToDecode, decode: () => unknown): unknown {
  const { endpoint, value, schema, hides } = received;
  const own = responseSchema(endpoint.row);
  if (isReplaced(received)) return asLists(own, value);
  const output = decode();
  return schema !== undefined || hides === false ? output : hideNamed(own, output, hides);
}

/** If the spec does not describe the page, a list alone is a page, and so is a record with a single list. */
function pageIn({ result }: Endpoint, value: unknown): unknown {
  if ((result as PageDetails).isGuess !== true) return value;
  if (Array.isArray(value)) return { data: value };
  const page = recordOf(value);
  const [list, ...others] = Object.values(page).filter(Array.isArray);
  if ("data" in page || list === undefined || others.length > 0) return value;
  return { ...page, data: list };
}

/** Returns the body of a success for hooks: its declared fields, without the secrets of the call wherever they occur. */
export function redactedBody(row: Endpoint, value: unknown, holdsSecret: HoldsSecret): unknown {
  return scrub(redact(responseSchema(row), pageIn(row, value)), holdsSecret);
}

const schemas = new WeakMap<Endpoint, ResponseSchema>();

/** Returns the schema of the whole body, including the envelope. */
export function responseSchema(row: Endpoint): ResponseSchema {
  return getOrInsertComputed(schemas, row, wholeSchema);
}

type ResponseSchema = z.core.$ZodType<unknown, unknown>;

function wholeSchema({ result, open }: Endpoint): ResponseSchema {
  const asStated = <S extends z.core.$ZodType>(schema: S): S =>
    open === false ? schema : guess(schema);
  if (!("kind" in result)) return asStated(result) as ResponseSchema;
  switch (result.kind) {
    case "text":
      return z.string();
    case "data":
      return record({ data: asStated(result.schema) });
    case "page": {
      const page = record({
        data: z.array(asStated(result.schema)),
        cursor: result.isGuess === true ? z.nullish(z.string()) : shown(z.optional(z.string())),
      });
      return result.isGuess === true ? guess(page) : page;
    }
  }
}

/** Whether the record is missing. The contract states the envelope, and a string is not the requested record. */
function lacksRecord({ row }: BoundRow, { body }: RawResponse, value: unknown): boolean {
  if (kindOf(row.result) === "data") return !("data" in recordOf(value));
  // After a change, some deployments return only a message, or nothing.
  return row.route.startsWith("GET ") && (value === body || value == null);
}

function isWholePage(output: unknown): boolean {
  const { data, cursor } = (output ?? {}) as { data?: unknown; cursor?: unknown };
  return Array.isArray(data) && (cursor == null || typeof cursor === "string");
}
