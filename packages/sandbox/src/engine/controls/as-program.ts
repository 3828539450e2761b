import { isDate, isRecord, isSecret, recordOf } from "@fieldmesh/core/internal";
import * as z from "@fieldmesh/core/internal/zod";
import { type Endpoint, kindOf } from "@fieldmesh/http/internal";
import { variableOf } from "../../shell-text.ts";
import type { RequestDetails } from "../log/logged-request.ts";

interface Called {
  readonly endpoint: Endpoint;
  /** In wire format, as it was sent. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The same with marks in place of what is hidden. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Parameters of the query that the row does not declare. */
  readonly more: Readonly<Record<string, string>>;
  readonly shownQuery: Readonly<Record<string, unknown>>;
}

/** What the page writes in place of a hidden value. */
const HIDDEN: ReadonlySet<unknown> = new Set(["[redacted]", "[undeclared]", "[too deep]"]);
/** The services that require a key. */
const WITH_KEY: ReadonlySet<string> = new Set(["console", "mobile"]);

/** Returns a program that reads hidden values from variables; `undefined` for a request that no client sends. */
export function asProgram(
  { request, call, input }: RequestDetails,
  shown: Readonly<Record<string, unknown>>,
  shownQuery: Readonly<Record<string, unknown>>,
): string | undefined {
  const { endpoint, row } = call;
  const isJson = request.body === "" || Object.keys(input).length > 0;
  if (endpoint === undefined || row === undefined || !isJson) return undefined;
  const [, fixed] = endpoint.route.split("?");
  const isDeclared = (name: string) =>
    Object.hasOwn(endpoint.query, name) || new URLSearchParams(fixed).has(name);
  const more = [...call.url.searchParams].filter(([name]) => !isDeclared(name));
  const { service } = request;
  const factory = `create${service.slice(0, 1).toUpperCase()}${service.slice(1)}Client`;
  const prefix = service.toUpperCase();
  const options = [
    `baseUrl: process.env["${prefix}_URL"]!`,
    ...(WITH_KEY.has(service) ? [`apiKey: process.env["${prefix}_KEY"]!`] : []),
  ];
  const query = { more: Object.fromEntries(more), shownQuery };
  const values = argumentsOf({ endpoint, input, shown, ...query });
  // The only method of the map is on the client itself.
  const method = row.replace(`${service}.`, "");
  const page = kindOf(endpoint.result) === "page" ? ".page()" : "";
  return [
    "// Save it as call.mts, and run it with: node --env-file=.env call.mts",
    `import { ${factory} } from "@fieldmesh/${service}-client";`,
    "",
    `const client = ${factory}({`,
    ...options.map((option) => `  ${option},`),
    "});",
    "",
    `const result = await client.${method}(${values.join(", ")})${page};`,
    "console.log(result);",
    "",
  ].join("\n");
}

/** Returns the input and the options of the call. */
function argumentsOf({ endpoint, input, shown, more, shownQuery }: Called): string[] {
  const given = valuesOf(endpoint, input, shown);
  const hasMore = Object.keys(more).length > 0;
  const takesInput =
    endpoint.body !== undefined || Object.keys({ ...endpoint.path, ...endpoint.query }).length > 0;
  const hasInput = takesInput && (hasMore || Object.keys(given).length > 0);
  return [
    ...(hasInput ? [write(given, shown, "", "input")] : []),
    ...(hasMore ? [write({ query: more }, { query: shownQuery }, "", "options")] : []),
  ];
}

/** Returns the values that a user passes: a list where the wire has a string with commas, for example. */
function valuesOf(
  endpoint: Endpoint,
  input: Called["input"],
  shown: Called["shown"],
): Called["input"] {
  const { path, query, body } = endpoint;
  const rest = Object.fromEntries(
    Object.entries(input).filter(
      ([name]) => !Object.hasOwn(path, name) && !Object.hasOwn(query, name),
    ),
  );
  const decoded = [
    z.safeDecode(z.object(path), input as never),
    z.safeDecode(z.object(query), input as never),
    ...(body === undefined ? [] : [z.safeDecode(body, rest as never)]),
  ];
  // What the service has rejected is written as it was sent.
  if (decoded.some(({ success }) => !success)) return shown;
  const values = Object.assign({}, ...decoded.map(({ data }) => recordOf(data))) as Called["input"];
  // The method sets these.
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && !Object.hasOwn(endpoint.fixed, name),
    ),
  );
}

/** Writes a value as TypeScript. `shown` is the same value with marks in place of what is hidden. */
function write(value: unknown, shown: unknown, indent: string, name: string): string {
  if (shown === undefined || HIDDEN.has(shown) || isSecret(value))
    return fromVariable(value, read(name));
  if (isDate(value)) return `new Date("${value.toISOString()}")`;
  if (typeof value === "bigint") return `${value}n`;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    const parts: readonly unknown[] = Array.isArray(shown) ? shown : [];
    const items = value.map((each, at) => `${inner}${write(each, parts[at], inner, name)},\n`);
    return `[\n${items.join("")}${indent}]`;
  }
  if (!isRecord(value)) return literal(value);
  const parts = recordOf(shown);
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  if (fields.length === 0) return "{}";
  // A name can be hidden too: it is missing where its value is, or is a mark itself.
  const named = fields.filter(([key]) => Object.hasOwn(parts, key) && !HIDDEN.has(key));
  const lines = named.map(
    ([key, each]) => `${inner}${nameOf(key)}: ${write(each, parts[key], inner, key)},\n`,
  );
  if (named.length < fields.length)
    lines.push(`${inner}...JSON.parse(${read(`${name} undeclared`)}),\n`);
  return `{\n${lines.join("")}${indent}}`;
}

function read(name: string): string {
  return `process.env["${variableOf(name)}"]!`;
}

/** Converts an environment variable, which is a string, to a hidden value. */
function fromVariable(value: unknown, variable: string): string {
  if (Array.isArray(value) && value.every((each) => typeof each === "string"))
    return `${variable}.split(",")`;
  return typeof value === "string" || isSecret(value) ? variable : `JSON.parse(${variable})`;
}

function nameOf(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}

/** Escapes invisible characters too, which could show the program in another order than it is. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007F-\u009F\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
