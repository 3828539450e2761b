import * as z from "zod/mini";
import {
  checkOptionNames,
  isSecret,
  revealText,
  stringifyJson,
  type Schema,
  type Secret,
} from "@fieldmesh/core";
import { redact, sensitive } from "@fieldmesh/core/schema";
import { InputError } from "../errors/input-error.ts";
import type { Problem } from "../errors/problem.ts";
import type { Route } from "../table/row.ts";
import type { BoundRow, WireRequest } from "./request.ts";
import { checkSegment, writeSearch } from "../wire/url.ts";

/** A request to an endpoint without a method of its own. */
export interface AnyRequest<T = unknown> {
  /** The HTTP method, in upper case. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /**
   * The path below `baseUrl`, without a query. Encode the values in it: `/api/v1/devices/${encodeURIComponent(id)}/frames`.
   * Errors and hooks show its plain words, and `:value` for everything else.
   */
  readonly path: `/${string}`;
  /** The query. A list repeats its name; `undefined` is left out. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
  /** The body, sent as JSON. A Secret in it is revealed. */
  readonly body?: unknown;
  /** Checks the body of the response, and types the output: a schema of zod, valibot, ArkType or any other that follows Standard Schema. */
  readonly schema?: Schema<T> | undefined;
}

type QueryValue = string | number | bigint | boolean | Secret;

const METHODS: ReadonlySet<unknown> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const MEMBERS = ["method", "path", "query", "body", "schema"] satisfies (keyof AnyRequest)[];

/** Checks and encodes a request that no row declares. Throws an InputError that names the problems and shows no value. */
export function encodeAnyRequest(
  request: AnyRequest,
  base: URL,
  { hasKey }: { readonly hasKey: boolean },
): { bound: BoundRow; wire: WireRequest } {
  if (typeof request !== "object" || request === null)
    throw new TypeError(
      'request requires an object, such as { method: "GET", path: "/v1/things" }.',
    );
  checkOptionNames("request", request, MEMBERS);
  const { method, path, query = {}, body } = request;
  const route = `${METHODS.has(method) ? method : "?"} ${maskPath(path)}` as Route;
  const problems = [...methodProblems(request), ...pathProblems(path)];
  const pairs = queryPairs(query, problems);
  const json = writeJson(body, problems);
  if (problems.length > 0) throw new InputError({ call: CALL, route }, problems);
  const hidden = { query: pairs.map(([, value]) => value), body, path: valuesIn(path) };
  return {
    bound: {
      row: { ...ROW, route, idempotencyKey: hasKey },
      call: CALL,
      reserved: new Map(),
      isWhole: true,
    },
    wire: {
      method,
      url: base.href.replace(/\/$/, "") + path + writeSearch(pairs),
      query: Object.fromEntries(pairs),
      body: json,
      redactInput(onHidden) {
        redact(
          HIDDEN,
          hidden,
          (text) => text.length >= SHORTEST_HIDDEN && onHidden(text, "sensitive"),
        );
        return Object.fromEntries(
          (["query", "body"] as const)
            .filter((part) => request[part] !== undefined)
            .map((part) => [part, "[redacted]"]),
        );
      },
    },
  };
}

const CALL = "request";
const ROW = {
  path: {},
  query: {},
  body: undefined,
  fixed: {},
  result: z.unknown(),
  errors: {},
  sample: { input: {}, output: undefined },
  status: 200,
  open: false,
};
// The content of such a request is not declared, so all of it counts as secret.
const HIDDEN = sensitive("secret", z.unknown());
// A shorter string, such as a page number, would be hidden in every date and length of a response.
const SHORTEST_HIDDEN = 4;

function methodProblems({ method, body }: AnyRequest): Problem[] {
  if (!METHODS.has(method))
    return [{ path: "method", message: `must be one of ${[...METHODS].join(", ")}` }];
  if (method === "GET" && body !== undefined)
    return [{ path: "body", message: "cannot be sent with GET: use query" }];
  return [];
}

function pathProblems(path: unknown): Problem[] {
  if (typeof path !== "string" || !path.startsWith("/"))
    return [{ path: "path", message: 'must begin with a slash, such as "/v1/things"' }];
  if (/[?#]/.test(path))
    return [{ path: "path", message: "must not contain a query or a fragment: use query" }];
  if (/%(?![\da-f]{2})/i.test(path) || !canDecode(path))
    return [{ path: "path", message: "contains a percent sign that is not encoded: write %25" }];
  // The last segment may be empty, because some routes end in a slash.
  const segments = path.slice(1).replace(/\/$/, "").split("/");
  const problem = segments
    .filter((segment) => path !== "/" || segment !== "")
    .map((segment) => checkSegment("path", segment, NO_WORDS))
    .find((each) => each !== undefined);
  if (problem === undefined) return [];
  return [{ path: "path", message: `has a segment that ${problem.message}` }];
}

function canDecode(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const NO_WORDS: ReadonlySet<string> = new Set();

function queryPairs(query: unknown, problems: Problem[]): [name: string, value: string][] {
  if (typeof query !== "object" || query === null || Symbol.iterator in query) {
    problems.push({ path: "query", message: "must be a plain object" });
    return [];
  }
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => [value].flat().map((each): [string, unknown] => [name, each]))
    .flatMap(([name, value]): [string, string][] => {
      const isPlain = ["string", "number", "bigint", "boolean"].includes(typeof value);
      const text = isSecret(value) ? revealText(value) : isPlain ? String(value) : undefined;
      if (text !== undefined && text.isWellFormed() && name.isWellFormed()) return [[name, text]];
      problems.push({
        path: "query",
        message: `${shownName(name)} must be a string, a number, a boolean or a Secret`,
      });
      return [];
    });
}

function writeJson(body: unknown, problems: Problem[]): string | undefined {
  if (body === undefined) return undefined;
  try {
    if (!isLostInJson(body)) return stringifyJson(body, { reveal: true });
  } catch {
    // The message of the runtime may show a value.
  }
  problems.push({ path: "body", message: "cannot be written as JSON" });
  return undefined;
}

/** JSON turns a Map, FormData or a stream into `{}`, and bytes into an object of numbers. */
function isLostInJson(body: unknown): boolean {
  if (typeof body !== "object" || body === null || Array.isArray(body) || isSecret(body))
    return false;
  if (ArrayBuffer.isView(body)) return true;
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(body) as null);
  return !isPlain && Object.keys(body).length === 0 && !("toJSON" in body);
}

function shownName(name: string): string {
  return WORD.test(name) ? name : "a value";
}

// A word of a route, such as `v1` or `poc_receipts`. Ids, names with capitals, addresses and keys do not have this form.
const WORD = /^(?:v\d{1,3}|[a-z]{1,24}(?:[_-][a-z]{1,24}){0,4})$/;

/** Replaces everything in a path that is not a word by `:value`, as in a route of the contract. */
function maskPath(path: unknown): string {
  if (typeof path !== "string") return "/";
  const segments = path.split("/").slice(1);
  return segments
    .map((segment) => `/${segment === "" || WORD.test(segment) ? segment : ":value"}`)
    .join("");
}

/** Returns the other segments, encoded and decoded. */
function valuesIn(path: string): string[] {
  const values = path.split("/").filter((segment) => segment !== "" && !WORD.test(segment));
  return values.flatMap((value) => [value, decodeURIComponent(value)]);
}
