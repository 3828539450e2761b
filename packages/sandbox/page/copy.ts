import type { RequestView, SentRequest } from "../src/engine/controls/wire.ts";
import { shellCommand, type ShellVariable, type ShellWord, variableOf } from "../src/shell-text.ts";
import { isHidden, stringify } from "./json.ts";

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
  const { service, path, query, body } = view;
  const prefix = `/${service}`;
  const search = Object.entries(query).flatMap(([name, value], at) => [
    `${at === 0 ? "?" : "&"}${encodeURIComponent(name)}=`,
    isHidden(value) ? hidden(name) : encodeURIComponent(String(value)),
  ]);
  const headers = Object.entries(view.headers).filter(
    ([name]) => name !== "content-type" || body.kind !== "json",
  );
  return curl({
    ...view,
    url: [
      { variable: `${service.toUpperCase()}_URL` },
      path.startsWith(prefix) ? path.slice(prefix.length) : path,
      ...search,
    ],
    headers: headers.map(([name, value]) => [
      name,
      isHidden(value) ? credential(name, view) : [value],
    ]),
    data: dataOf(body),
    hasType: body.kind !== "text" || "content-type" in view.headers,
  });
}

/** Returns a request as it was sent, with all its values. */
export function asSentCurl(sent: SentRequest, origin: string): string {
  const { method, url, headers, body } = sent;
  return curl({
    method,
    url: [URL.canParse(url) ? url : origin + url],
    headers: Object.entries(headers).map(([name, value]) => [name, [value]]),
    data: body === "" ? [] : dataOf(body === undefined ? LOST : { kind: "text", text: body }),
    hasType: body === "" || "content-type" in headers,
  });
}

const LOST = { kind: "left_out", length: undefined } as const;

type Parts = Exclude<ShellWord, string>;

function curl(request: {
  readonly method: string;
  readonly url: Parts;
  readonly headers: readonly (readonly [name: string, value: Parts])[];
  readonly data: readonly ShellWord[];
  readonly hasType: boolean;
}): string {
  const { method, url, headers, data, hasType } = request;
  return shellCommand([
    ["curl"],
    ...(method === "GET" ? [] : [["-X", method]]),
    ...headers
      .filter(([name]) => !OWN_HEADERS.has(name))
      .map(([name, value]) => ["-H", [`${name}: `, ...value]]),
    // Without a type of its own, curl would declare a form.
    ...(hasType ? [] : [["-H", "content-type:"]]),
    // Without -g, [1-9] in an address is nine requests.
    ...(url.some((part) => typeof part === "string" && /[[\]{}]/.test(part)) ? [["-g"]] : []),
    [url],
    ...(data.length === 0 ? [] : [data]),
  ]);
}

/** Linux allows 131,072 bytes for an argument. A character has at most 3. */
const LONGEST_ARGUMENT = 40_000;

/** Returns the options for a body. `--data-raw` reads no file for a body such as `@name`. */
function dataOf(body: RequestView["body"]): ShellWord[] {
  if (body.kind === "none") return [];
  if (body.kind === "left_out" || ("whole" in body && body.whole !== undefined))
    return fromUser("the sandbox has not kept the whole body");
  const parts = body.kind === "json" ? jsonParts(body.value) : [textPart(body.text)];
  const text = parts.filter((part) => typeof part === "string").join("");
  if (text.length > LONGEST_ARGUMENT || text.includes("\0"))
    return fromUser("no argument can hold the body, so name a file, such as @body.txt");
  return [body.kind === "json" ? "--json" : "--data-raw", parts];
}

function fromUser(reason: string): ShellWord[] {
  return ["--data-binary", [{ variable: "BODY", unset: `set BODY: ${reason}` }]];
}

function textPart(text: string): string | ShellVariable {
  return isHidden(text) ? { variable: "BODY", unset: "set BODY" } : text;
}

/** JSON in which the shell replaces the hidden values. */
function jsonParts(value: unknown, name = "VALUE"): Parts {
  if (isHidden(value)) return ['"', hidden(name), '"'];
  if (typeof value !== "object" || value === null) return [stringify(value)];
  const isList = Array.isArray(value);
  const fields = Object.entries(value).flatMap(([key, each], at) => [
    (at === 0 ? "" : ",") + (isList ? "" : `${JSON.stringify(key)}:`),
    ...jsonParts(each, isList ? name : key),
  ]);
  return isList ? ["[", ...fields, "]"] : ["{", ...fields, "}"];
}

function credential(header: string, { service, key: owner }: RequestView): Parts {
  if (header !== "authorization" && header !== "key") return [hidden(header)];
  const key =
    owner === "printed"
      ? { variable: `${service.toUpperCase()}_KEY` }
      : { variable: "API_KEY", unset: "set API_KEY" };
  return header === "key" ? [key] : ["Bearer ", key];
}

/** A variable without which the shell stops, and says which one to set. */
function hidden(name: string): ShellVariable {
  const variable = variableOf(name);
  return { variable, unset: `set ${variable}` };
}
