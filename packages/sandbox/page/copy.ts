import type { RequestView, SentRequest } from "../src/engine/controls/wire.ts";
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

/** Returns a request as a curl command. Hidden values are variables, such as `$CONSOLE_KEY`, without which the shell stops. */
export function asCurl(view: RequestView): string {
  const { service, method, path, query, headers, body } = view;
  const prefix = `/${service}`;
  const address = `$${service.toUpperCase()}_URL${path.startsWith(prefix) ? path.slice(prefix.length) : path}`;
  const search = Object.entries(query).map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${isHidden(value) ? required(name) : encodeURIComponent(String(value))}`,
  );
  const url = quoted([address, ...(search.length === 0 ? [] : [`?${search.join("&")}`])].join(""));
  const flags = Object.entries(headers)
    .filter(
      ([name]) => !OWN_HEADERS.has(name) && !(name === "content-type" && body.kind === "json"),
    )
    .map(
      ([name, value]) =>
        `-H ${quoted(`${name}: ${isHidden(value) ? credential(name, view) : escaped(value)}`)}`,
    );
  // Without a type of its own, curl would declare a form.
  if (body.kind === "text" && !("content-type" in headers)) flags.push('-H "content-type:"');
  const command = ["curl", ...(method === "GET" ? [] : [`-X ${method}`]), ...flags, url];
  if (body.kind === "json")
    return `${joined([...command, "--json @- <<JSON"])}\n${escaped(shellJson(body.value))}\nJSON`;
  if (body.kind === "none") return joined(command);
  if (body.kind === "left_out" || body.whole !== undefined) return withoutBody(command);
  const text = isHidden(body.text) ? required("BODY") : escaped(body.text);
  return joined([...command, `--data-raw ${quoted(text)}`]);
}

/** Returns a curl command that reads the body, which was not kept whole, from a variable. */
function withoutBody(command: readonly string[]): string {
  const flag = `--data-binary ${quoted(required("BODY"))}`;
  return `# The sandbox has not kept the whole body: set BODY.\n${joined([...command, flag])}`;
}

/** Returns a request as it was sent, with all its values. */
export function asSentCurl({ method, url, headers, body }: SentRequest, origin: string): string {
  const flags = Object.entries(headers)
    .filter(([name]) => !OWN_HEADERS.has(name))
    .map(([name, value]) => `-H ${literal(`${name}: ${value}`)}`);
  if (body !== "" && !("content-type" in headers)) flags.push("-H 'content-type:'");
  const command = [
    "curl",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...flags,
    literal(URL.canParse(url) ? url : origin + url),
  ];
  if (body === undefined) return withoutBody(command);
  return joined([...command, ...(body === "" ? [] : [`--data-binary ${literal(body)}`])]);
}

/** Quotes what a shell must not change. */
function literal(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
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

function credential(header: string, { service, hasPrintedKey }: RequestView): string {
  if (header !== "authorization" && header !== "key") return required(header);
  const key = hasPrintedKey ? `$${service.toUpperCase()}_KEY` : required("API_KEY");
  return header === "key" ? key : `Bearer ${key}`;
}

/** A variable without which the shell stops, and says which one to set. */
function required(name: string): string {
  return `\${${variable(name)}:?set ${variable(name)}}`;
}

function variable(name: string): string {
  return name.replaceAll(/\W+/g, "_").toUpperCase();
}

/** Escapes what a shell reads between double quotes and in a here document, and makes the marks variables. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\\$`]/g, "\\$&")
    .replaceAll(/\uE000(\w+)\uE000/g, (_, name: string) => required(name));
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}

const LONGEST_LINE = 76;

function joined(words: readonly string[]): string {
  const line = words.join(" ");
  return line.length <= LONGEST_LINE ? line : words.join(" \\\n  ");
}
