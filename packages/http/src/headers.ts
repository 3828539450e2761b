import { revealText } from "@fieldmesh/core";
import type { Credential } from "./credential.js";

/** Names of headers that carry a credential in one of the services, or in what stands before them. */
const SENSITIVE = new Set([
  "key",
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
]);

/** Headers as a plain object, names in lower case. */
export function plainHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(headers);
}

/** Headers as a hook or a log may see them. */
export function redactHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, SENSITIVE.has(name) ? "[redacted]" : value]),
  );
}

// What the transport itself decides, or what would change how the message is framed.
const RESERVED = new Set([
  "host",
  "content-length",
  "content-type",
  "transfer-encoding",
  "connection",
  "user-agent",
]);

/** Lays headers over each other and adds what every request carries; throws a TypeError that shows no value. */
export function mergeRequestHeaders({
  userAgent,
  credential,
  layers,
}: {
  userAgent: string;
  credential: Credential | undefined;
  layers: readonly (Readonly<Record<string, string>> | undefined)[];
}): Headers {
  const headers = new Headers({ accept: "application/json, text/plain;q=0.9, */*;q=0.8" });
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer ?? {}))) {
    const lower = name.toLowerCase();
    if (lower === credential?.header)
      throw new TypeError(`headers must not set ${lower}: use ${credential.option}.`);
    if (lower === "user-agent")
      throw new TypeError("headers must not set user-agent: use userAgent.");
    if (RESERVED.has(lower)) throw new TypeError(`headers must not set ${lower}: the client does.`);
    setHeader(headers, name, value);
  }
  setHeader(headers, "user-agent", userAgent);
  if (credential !== undefined)
    headers.set(credential.header, (credential.prefix ?? "") + revealText(credential.value));
  return headers;
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    // The runtime's own message shows the value.
    throw new TypeError(
      `headers: ${/^[\w-]+$/.test(name) ? name : "a name"} is not a valid header, or its value has a line break or a character above U+00FF.`,
    );
  }
}
