import type { RequestView } from "../src/engine/controls/wire.ts";
import { isHidden } from "./hidden.ts";
import { stringify } from "./json.ts";

/** Headers that curl writes itself, or that belong to one connection. */
const OWN_HEADERS = new Set([
  "accept-encoding",
  "accept-language",
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "sec-fetch-mode",
  "transfer-encoding",
]);

/**
 * Returns a request as a curl command. Credentials are the variables that the sandbox prints, such as `$CONSOLE_KEY`, and other
 * hidden values are variables of their own name.
 */
export function asCurl({ service, method, path, query, headers, body }: RequestView): string {
  const prefix = `/${service}`;
  const address = `$${service.toUpperCase()}_URL${path.startsWith(prefix) ? path.slice(prefix.length) : path}`;
  const search = Object.entries(query).map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${isHidden(value) ? `$${variable(name)}` : encodeURIComponent(String(value))}`,
  );
  const url = quoted([address, ...(search.length === 0 ? [] : [`?${search.join("&")}`])].join(""));
  const flags = Object.entries(headers)
    .filter(
      ([name]) => !OWN_HEADERS.has(name) && !(name === "content-type" && body.kind === "json"),
    )
    .map(
      ([name, value]) =>
        `-H ${quoted(`${name}: ${isHidden(value) ? credential(name, service) : escaped(value)}`)}`,
    );
  // Without a type of its own, curl would declare a form.
  if (body.kind === "text" && !("content-type" in headers)) flags.push('-H "content-type:"');
  const command = ["curl", ...(method === "GET" ? [] : [`-X ${method}`]), ...flags, url];
  if (body.kind === "json")
    return `${joined([...command, "--json @- <<JSON"])}\n${escaped(shellJson(body.value))}\nJSON`;
  if (body.kind !== "text") return joined(command);
  const text = isHidden(body.text) ? "$BODY" : escaped(body.text);
  return joined([...command, `--data-raw ${quoted(text)}`]);
}

/** Returns a request as a call of a client. `undefined` for a request that no client sends, such as one whose body is not JSON. */
export function asTypeScript({ service, row, input, body }: RequestView): string | undefined {
  if (row === undefined || body.kind === "text") return undefined;
  const literal = stringify(withMarks(input), 2)
    .replace(/"([A-Za-z_$][\w$]*)":/g, "$1:")
    .replace(/"\uE000(\w+)\uE000"/g, 'process.env["$1"]!');
  return `await ${service}.${row}(${Object.keys(input).length === 0 ? "" : literal});`;
}

/** Puts a mark in the place of each hidden value, with the name of its variable. */
function withMarks(value: unknown, name = "VALUE"): unknown {
  if (isHidden(value)) return `\uE000${variable(name)}\uE000`;
  if (Array.isArray(value)) return value.map((each) => withMarks(each, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withMarks(each, key)]),
  );
}

/** JSON in which the shell replaces the hidden values. */
function shellJson(value: unknown): string {
  return stringify(withMarks(value), 2);
}

function credential(header: string, service: string): string {
  const name = `$${service.toUpperCase()}_KEY`;
  if (header === "authorization") return `Bearer ${name}`;
  return header === "key" ? name : `$${variable(header)}`;
}

function variable(name: string): string {
  return name.replaceAll(/\W+/g, "_").toUpperCase();
}

/** Escapes what a shell reads between double quotes and in a here document, and makes the marks variables. */
function escaped(text: string): string {
  return text.replaceAll(/[\\$`]/g, "\\$&").replaceAll(/\uE000(\w+)\uE000/g, "$$$1");
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}

const LONGEST_LINE = 76;

function joined(words: readonly string[]): string {
  const line = words.join(" ");
  return line.length <= LONGEST_LINE ? line : words.join(" \\\n  ");
}
