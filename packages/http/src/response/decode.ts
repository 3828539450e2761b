import * as z from "zod/mini";
import { getOrInsertComputed } from "@fieldmesh/core";
import { decodeLeniently, record, redact, scrub } from "@fieldmesh/core/schema";
import type { Settings } from "../options/client-options.ts";
import type { Endpoint } from "../table/row.ts";
import type { Attempt, CallFacts } from "../errors/call-error.ts";
import { notify } from "../options/hooks.ts";
import {
  OWN_MESSAGES_ONLY,
  toProblems,
  type Problem,
  type StandardIssue,
} from "../errors/problem.ts";
import { ResponseValidationError } from "../errors/response-validation-error.ts";
import type { Answer } from "../send/fetch-attempt.ts";
import type { BoundRow } from "../request/request.ts";
import { kindOf } from "../table/result.ts";
import type { Schema, SchemaResult } from "@fieldmesh/core";

/** An answer that was received, and how its client wants it read. */
export interface ReceivedAnswer {
  readonly bound: BoundRow;
  readonly answer: Answer;
  /** The body as JSON, or as text where it is none. */
  readonly value: unknown;
  readonly attempts: readonly Attempt[];
  readonly settings: Settings;
  /** The caller's, for a record that the spec leaves open. */
  readonly schema: Schema | undefined;
  readonly compile: CompileSchema | undefined;
}

/** Makes a schema faster, such as `compileSchema` of `@fieldmesh/core/schema`. */
export type CompileSchema = <S extends z.core.$ZodType>(schema: S) => S;

/** What an answer comes to. */
export interface DecodedAnswer {
  /** What the method resolves to. */
  readonly output: unknown;
  /** What its envelope says beside the record or the records. */
  readonly meta?: unknown;
}

/** Makes of an answer what the method resolves to. */
export async function decodeAnswer(received: ReceivedAnswer): Promise<DecodedAnswer> {
  const { bound, answer, schema } = received;
  const { row } = bound;
  if (answer.tooLarge) throw tooLarge(received);
  if (isWebPage(answer.body)) throw webPage(received);
  const kind = kindOf(row.result);
  if (kind === "text") return { output: answer.body };
  let output = decodeBody(received, kind === "page");
  const envelope = output as { data?: unknown; meta?: unknown } | undefined;
  if (kind === "data") output = envelope?.data;
  if (schema !== undefined) output = await applySchema(received, schema, output, kind === "page");
  return { output, meta: kind === "plain" ? undefined : envelope?.meta };
}

function decodeBody(received: ReceivedAnswer, isPage: boolean): unknown {
  const { bound, value, settings, compile = (schema) => schema } = received;
  const { row, call } = bound;
  const schema = responseSchema(row);
  const decoded = z.safeDecode(compile(schema), value, OWN_MESSAGES_ONLY);
  if (decoded.success) return decoded.data;
  const problems = toProblems(decoded.error.issues, value);
  if (settings.validation === "strict") throw misfit(received, problems);
  const output = decodeLeniently(schema, value);
  // Without its items and its cursor a page would look like the last one.
  if (isPage && !isWholePage(output)) throw misfit(received, problems);
  notify(settings.onDrift, () => ({ call, route: row.route, problems }));
  return output;
}

/** The body of a success as a hook may see it; what the call sent in secret is hidden wherever it comes back. */
export function redactedBody(row: Endpoint, value: unknown, sent: readonly string[]): unknown {
  return scrub(typeof value === "string" ? value : redact(responseSchema(row), value), sent);
}

const schemas = new WeakMap<Endpoint, ResponseSchema>();

/** The schema of the whole body, envelope included. */
export function responseSchema(row: Endpoint): ResponseSchema {
  return getOrInsertComputed(schemas, row, wholeSchema);
}

type ResponseSchema = z.core.$ZodType<unknown, unknown>;

function wholeSchema({ result }: Endpoint): ResponseSchema {
  if (!("kind" in result)) return result as ResponseSchema;
  switch (result.kind) {
    case "text":
      return z.string();
    case "data":
      return record({ data: result.schema });
    case "page":
      return record({ data: z.array(result.schema), cursor: z.nullish(z.string()) });
  }
}

function isWholePage(output: unknown): boolean {
  const { data, cursor } = (output ?? {}) as { data?: unknown; cursor?: unknown };
  return Array.isArray(data) && (cursor == null || typeof cursor === "string");
}

function tooLarge(received: ReceivedAnswer): ResponseValidationError {
  const { answer, settings } = received;
  return new ResponseValidationError(factsOf(received, "applied"), {
    status: answer.status,
    problems: [
      { path: "", message: `is larger than maxResponseBytes (${settings.maxResponseBytes})` },
    ],
    body: "",
    advice:
      "The call was carried out. If an answer of that size is to be expected, raise maxResponseBytes.",
  });
}

/** What a proxy or a network answers that wants a sign-in, with 200: as text it would pass for a success. */
function isWebPage(body: string): boolean {
  return /^\s*<(?:!doctype\s+html|html)[\s>]/i.test(body);
}

/** Whatever the client was told of drift: this is not the service. */
function webPage(received: ReceivedAnswer): ResponseValidationError {
  const { status, body } = received.answer;
  return new ResponseValidationError(factsOf(received, "unknown"), {
    status,
    problems: [{ path: "", message: "it is a web page" }],
    body,
    advice:
      "Check baseUrl, and what stands between, such as a proxy that wants a sign-in. The call may have been carried out all the same.",
  });
}

async function applySchema(
  received: ReceivedAnswer,
  schema: Schema,
  output: unknown,
  isPage: boolean,
): Promise<unknown> {
  if (isPage) {
    const page = output as { data: unknown };
    return { ...page, data: await applySchema(received, schema, page.data, false) };
  }
  if (Array.isArray(output)) {
    return await Promise.all(
      output.map((item, index) => applyToOne(received, schema, item, [index])),
    );
  }
  return await applyToOne(received, schema, output, []);
}

async function applyToOne(
  received: ReceivedAnswer,
  schema: Schema,
  value: unknown,
  at: PropertyKey[],
): Promise<unknown> {
  const result = await validateWith(schema, value);
  if (result.issues === undefined) return result.value;
  const problems = toProblems(result.issues as readonly StandardIssue[], value, at, "hidden");
  throw misfit(received, problems, "Correct the schema that the call was given.");
}

async function validateWith(schema: Schema, value: unknown): Promise<SchemaResult<unknown>> {
  try {
    return await schema["~standard"].validate(value);
  } catch {
    // What it threw may hold the value.
    return { issues: [{ message: "" }] };
  }
}

function misfit(
  received: ReceivedAnswer,
  problems: readonly Problem[],
  advice?: string,
): ResponseValidationError {
  const { status, body } = received.answer;
  return new ResponseValidationError(factsOf(received, "applied"), {
    status,
    problems,
    body,
    advice,
  });
}

function factsOf({ bound, attempts }: ReceivedAnswer, outcome: CallFacts["outcome"]): CallFacts {
  return { call: bound.call, route: bound.row.route, outcome, attempts };
}
