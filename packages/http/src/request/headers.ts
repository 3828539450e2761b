import { scrub, type HoldsSecret } from "@fieldmesh/core/schema";
import type { Credential } from "../options/credential.ts";

// By what names such headers have: those of the services, of proxies before them, and a caller's own.
const SENSITIVE = /key|auth|cookie|token|secret|passw|credential|session|signature/;
// It names a call and grants nothing; a log is where one looks for it.
const HARMLESS = "idempotency-key";

/** Headers as a plain object, names in lower case. */
export function plainHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(headers);
}

/** Headers as a hook or a log may see them. One whose name holds a secret is left out. */
export function redactHeaders(headers: Headers, holdsSecret: HoldsSecret): Record<string, string> {
  const shown = [...headers]
    // A name of HTTP, such as `connection`, is the same for everybody.
    .filter(([name]) => name in RESERVED || !holdsSecret(name))
    .map(([name, value]) => [name, isSensitive(name) ? "[redacted]" : scrub(value, holdsSecret)]);
  return Object.fromEntries(shown) as Record<string, string>;
}

/** The values of the headers that carry a credential, and what one of the scheme Basic holds. */
export function sensitiveValues(headers: Headers): string[] {
  const values = [...headers].filter(([name]) => isSensitive(name)).map(([, value]) => value);
  return values.flatMap((value) => [value, ...basicParts(value)]);
}

/** The user and the password, which a server knows apart. */
function basicParts(value: string): string[] {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  try {
    return atob(encoded).split(":");
  } catch {
    return [];
  }
}

function isSensitive(name: string): boolean {
  return SENSITIVE.test(name) && name !== HARMLESS;
}

// What the transport itself decides, and what belongs to the connection.
const RESERVED: Readonly<Record<string, string>> = {
  "user-agent": "use userAgent",
  "idempotency-key": "use idempotencyKey, an option of the calls that take one",
  ...Object.fromEntries(
    [
      "host",
      "content-length",
      "content-type",
      "transfer-encoding",
      "connection",
      "keep-alive",
      "upgrade",
      "expect",
      "te",
      "trailer",
    ].map((name) => [name, "the client does"]),
  ),
};

/** Lays headers over each other and adds what every request carries but the key; throws a TypeError that shows no value. */
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
  for (const layer of layers) {
    for (const [name, value] of entriesOf(layer)) {
      const lower = name.toLowerCase();
      const instead =
        lower === credential?.header.toLowerCase() ? `use ${credential?.option}` : RESERVED[lower];
      if (instead !== undefined) throw new TypeError(`headers must not set ${lower}: ${instead}.`);
      setHeader(headers, name, value, "headers: ");
    }
  }
  setHeader(headers, "user-agent", userAgent, "");
  return headers;
}

/** Returns the headers with others beside them. One that is there, that the client decides or that is not valid is left as it is. */
export function addHeaders(headers: Headers, others: Readonly<Record<string, unknown>>): Headers {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(others)) {
    try {
      if (!all.has(name) && !(name.toLowerCase() in RESERVED)) setHeader(all, name, value, "");
    } catch {
      // What only watches changes no call.
    }
  }
  return all;
}

function entriesOf(layer: Readonly<Record<string, string>> | undefined): [string, unknown][] {
  if (layer === undefined) return [];
  // A Headers object or a list of pairs would be taken for an object without members.
  if (typeof layer !== "object" || layer === null || Symbol.iterator in layer)
    throw new TypeError('headers must be a plain object, such as { "x-team": "water" }.');
  return Object.entries(layer);
}

function setHeader(headers: Headers, name: string, value: unknown, where: string): void {
  const shown = /^[\w-]+$/.test(name) ? name : "a name";
  if (typeof value !== "string") throw new TypeError(`${where}${shown} must be a string.`);
  try {
    headers.set(name, value);
  } catch {
    // The runtime's own message shows the value.
    throw new TypeError(
      `${where}${shown} is not a valid header, or its value has a line break or a character above U+00FF.`,
    );
  }
}
