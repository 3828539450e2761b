import * as z from "@fieldmesh/core/internal/zod";
import {
  isError,
  kindOfName,
  parseJson,
  recordOf,
  shownAddresses,
  mistake,
} from "@fieldmesh/core/internal";
import { createSecretCheck, redact, scrub } from "@fieldmesh/core/internal/schema";
import { responseSchema } from "@fieldmesh/http/internal";
import type { RequestDetails } from "../log/logged-request.ts";
import { isWhole, type KeptBody } from "../log/kept-calls.ts";
import { asProgram } from "./as-program.ts";
import { foreignKeyNote, type KeysOf } from "./key-owner.ts";
import { toRequestRow } from "./views.ts";
import type { BodyView, RequestView } from "./wire.ts";
import { checkBody } from "../serve/serve-actions.ts";

/** Replaces what is hidden. */
export const HIDDEN = "[redacted]";

const NO_FIELDS = z.object({});

/** Returns a request without its secrets. */
export function viewRequest(details: RequestDetails, keys: KeysOf): RequestView {
  const { request, call, input: sentInput, response } = details;
  const { endpoint } = call;
  const secrets: string[] = [];
  const hide = (text: string): void => void secrets.push(text);
  const headers = viewHeaders(request.headers, hide);
  /** Shows a field by its own schema. Without one, it is a field of a record, which may hide its name too. */
  const show = (
    own: z.core.$ZodType | undefined,
    record: z.core.$ZodType,
    name: string,
    value: unknown,
  ) =>
    own === undefined
      ? Object.entries(recordOf(redact(record, { [name]: value }, hide)))
      : [[name, redact(own, value, hide)] as const];
  const query = Object.fromEntries(
    [...call.url.searchParams].flatMap(([name, value]) => {
      const own = ownOf(endpoint?.query, name) ?? fixedQuery(endpoint?.route, name);
      return show(own, NO_FIELDS, name, value);
    }),
  );
  const input = Object.fromEntries(
    Object.entries(sentInput).flatMap(([name, value]) => {
      const own = ownOf(endpoint?.path, name) ?? ownOf(endpoint?.query, name);
      return show(own, endpoint?.body ?? NO_FIELDS, name, value);
    }),
  );
  const body = viewKeptBody(call.body, (value) => redact(endpoint?.body, value, hide));
  // A response may repeat what was hidden in the request.
  const isSecret = createSecretCheck(secrets);
  const isSuccess = response !== undefined && (request.status ?? 0) < FIRST_ERROR;
  const schema = endpoint === undefined || !isSuccess ? undefined : responseSchema(endpoint);
  return {
    ...toRequestRow(request, keys),
    route: endpoint?.route,
    played: request.fault,
    error: errorText(request.error),
    query,
    headers,
    body,
    note: foreignKeyNote(request, keys),
    program: isWhole(call.body) ? asProgram(details, input, query) : undefined,
    response: response && {
      headers: viewHeaders(response.headers, hide),
      body:
        response.body === undefined
          ? { kind: "left_out", length: response.length }
          : viewBody(parseBody(response.body), (value) =>
              // The messages of errors are those of the sandbox.
              scrub(schema === undefined ? value : redact(schema, value), isSecret),
            ),
    },
  };
}

const FIRST_ERROR = 400;

/** Returns a field of a record, whose names anybody may choose: a request can have a field `constructor`. */
function ownOf<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

function errorText(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  return isError(error) ? `${error.name}: ${error.message}` : "The sandbox has failed.";
}

/** A part of the query that the route itself has declares its value. */
function fixedQuery(route: string | undefined, name: string) {
  return new URLSearchParams(route?.split("?")[1]).has(name) ? z.string() : undefined;
}

/** Hides the headers that the list of core names, and the queries of addresses. `hide` receives what was hidden. */
export function viewHeaders(
  headers: Readonly<Record<string, string>>,
  hide: (text: string) => void = () => undefined,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (kindOfName(name) === undefined) return [name, shownAddresses(value, hide)];
      hide(value);
      return [name, HIDDEN];
    }),
  );
}

type ParsedBody = { readonly json: unknown } | { readonly text: string };

/** Parses a body. One that is not JSON is a string. */
export function parseBody(body: string): ParsedBody {
  try {
    return { json: parseJson(body) };
  } catch {
    return { text: body };
  }
}

function viewKeptBody(body: KeptBody, redacted: (value: unknown) => unknown): BodyView {
  const { text, length } = body;
  if (text === undefined) return { kind: "left_out", length };
  if (isWhole(body)) return viewBody(parseBody(text), redacted);
  // The start of a JSON document is not JSON.
  return { kind: "text", text: textOf(text, redacted), whole: length };
}

function viewBody(body: ParsedBody, redacted: (value: unknown) => unknown): BodyView {
  if ("json" in body) return { kind: "json", value: redacted(body.json) };
  if (body.text === "") return { kind: "none" };
  return { kind: "text", text: textOf(body.text, redacted) };
}

/** In place of a string, there is a mark, which is a string too. */
function textOf(body: string, redacted: (value: unknown) => unknown): string {
  return redacted(body) as string;
}

const place = z.strictObject({
  of: z.enum(["request", "response"]),
  part: z.enum(["header", "query", "body"]),
  /** The name of a header or a query parameter, or a JSON pointer in the body: `""` is all of it. */
  name: z.string(),
});

/** Returns one hidden value as it was sent. Throws a TypeError where there is none. */
export function revealValue(
  { request, call, response }: RequestDetails,
  body: Readonly<Record<string, unknown>>,
): unknown {
  const { of, part, name } = checkBody(place, body);
  const message = of === "request" ? request : response;
  const value =
    message === undefined
      ? undefined
      : part === "header"
        ? ownOf(message.headers, name)
        : part === "query"
          ? (call.url.searchParams.get(name) ?? undefined)
          : message.body === undefined
            ? undefined
            : valueAt(contentOf(message.body), name);
  return existing(value);
}

const pointer = z.strictObject({ name: z.string() });

/** Returns one hidden value of an event as it is stored. Throws a TypeError where there is none. */
export function revealInEvent(event: unknown, body: Readonly<Record<string, unknown>>): unknown {
  return existing(valueAt(event, checkBody(pointer, body).name));
}

function existing(value: unknown): unknown {
  if (value === undefined) throw mistake("There is no such value.");
  return value;
}

/** Returns the JSON of a body, or the string of one that is not JSON. */
function contentOf(body: string): unknown {
  const parsed = parseBody(body);
  return "json" in parsed ? parsed.json : parsed.text;
}

/** Follows a JSON pointer. `""` is the whole value. */
function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const part of path.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
