import * as z from "@fieldmesh/core/internal/zod";
import {
  anything,
  isSecret,
  options,
  revealText,
  type Schema,
  type Secret,
} from "@fieldmesh/core/internal";
import { redact, sensitive } from "@fieldmesh/core/internal/schema";
import type { Problem } from "../errors/problem.ts";
import type { Route } from "../table/row.ts";
import type { BoundRow } from "./request.ts";
import { checkPath } from "../wire/url.ts";
import { writeRequest, type RequestParts, type WireRequest } from "./write-request.ts";

/** A request to an endpoint that has no method yet. */
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

export type QueryValue = string | number | bigint | boolean | Secret;

const METHODS: ReadonlySet<unknown> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

const readRequest = /* @__PURE__ */ options<AnyRequest>(
  "request",
  {
    method: { required: anything },
    path: { required: anything },
    query: anything,
    body: anything,
    schema: anything,
  },
  '{ method: "GET", path: "/v1/things" }',
);

/** Checks and encodes a request that no row declares. Throws an InputError that names the problems and shows no value. */
export function encodeAnyRequest(
  request: AnyRequest,
  base: URL,
  { hasKey }: { readonly hasKey: boolean },
): { endpoint: BoundRow; wire: WireRequest } {
  const own = readRequest(request);
  const { method, path, query = {}, body } = own;
  const route = `${METHODS.has(method) ? method : "?"} ${maskPath(path)}` as Route;
  const problems = [...methodProblems(own), ...pathProblems(path)];
  const pairs = queryPairs(query, problems);
  const parts: RequestParts = {
    method,
    base,
    path: () => path,
    query: pairs,
    body,
    redactInput(onHidden) {
      const hidden = { query: pairs.map(([, value]) => value), body, path: valuesIn(path) };
      redact(
        HIDDEN,
        hidden,
        (text) => text.length >= SHORTEST_HIDDEN && onHidden(text, "sensitive"),
      );
      return Object.fromEntries(
        (["query", "body"] as const)
          .filter((part) => own[part] !== undefined)
          .map((part) => [part, "[redacted]"]),
      );
    },
  };
  return {
    endpoint: {
      row: { ...ROW, route, idempotencyKey: hasKey },
      call: CALL,
      reserved: new Map(),
      isWhole: true,
    },
    wire: writeRequest({ call: CALL, route }, parts, problems),
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
  mayBeAbsent: false,
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
  if (!canDecode(path))
    return [{ path: "path", message: "contains a percent sign that is not encoded: write %25" }];
  const problem = checkPath(path.slice(1));
  return problem === undefined ? [] : [{ path: "path", message: `has a segment that ${problem}` }];
}

function canDecode(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

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
        message: `${WORD.test(name) ? name : "a value"} must be a string, a number, a boolean or a Secret`,
      });
      return [];
    });
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
