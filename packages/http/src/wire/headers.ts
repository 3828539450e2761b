import { isSecretName, mistake, shownAddresses } from "@fieldmesh/core/internal";
import { scrub, type HoldsSecret } from "@fieldmesh/core/internal/schema";

/** The header of a credential, and the option that sets it. */
interface CredentialHeader {
  readonly option: string;
  readonly header: string;
}

/** Returns headers in the form for hooks and logs. Drops a header whose name contains a secret. */
export function redactHeaders(headers: Headers, holdsSecret: HoldsSecret): Record<string, string> {
  const shown = [...headers]
    // Standard names, such as `connection`, are the same for everyone.
    .filter(([name]) => name in RESERVED || !holdsSecret(name))
    .map(([name, value]) => [
      name,
      isSecretName(name) ? "[redacted]" : scrub(shownAddresses(value), holdsSecret),
    ]);
  return Object.fromEntries(shown) as Record<string, string>;
}

/** Returns the values of the headers with a credential, and the content of Basic authorization. */
export function sensitiveValues(headers: Headers): string[] {
  const values = [...headers].filter(([name]) => isSecretName(name)).map(([, value]) => value);
  return values.flatMap((value) => [value, ...basicParts(value)]);
}

/** Returns the user name and the password, which a server may mention separately. */
function basicParts(value: string): string[] {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  try {
    return atob(encoded).split(":");
  } catch {
    return [];
  }
}

const CLIENT_DOES = "the client does";
// Headers that the transport sets, and headers of the connection.
const RESERVED: Readonly<Record<string, string>> = {
  "idempotency-key": "use the option idempotencyKey of the calls that have it",
  host: CLIENT_DOES,
  "content-length": CLIENT_DOES,
  "content-type": CLIENT_DOES,
  "transfer-encoding": CLIENT_DOES,
  connection: CLIENT_DOES,
  "keep-alive": CLIENT_DOES,
  upgrade: CLIENT_DOES,
  expect: CLIENT_DOES,
  te: CLIENT_DOES,
  trailer: CLIENT_DOES,
};

/** Merges headers and adds those of every request, except the key. Throws a TypeError that shows no value. */
export function mergeRequestHeaders(given: {
  userAgent: string;
  credential: CredentialHeader | undefined;
  layers: readonly (Readonly<Record<string, string>> | undefined)[];
}): Headers {
  const { userAgent, credential, layers } = given;
  const headers = new Headers({
    accept: "application/json, text/plain;q=0.9, */*;q=0.8",
    "user-agent": userAgent,
  });
  for (const layer of layers) {
    for (const [name, value] of entriesOf(layer)) {
      const lower = name.toLowerCase();
      const instead =
        lower === credential?.header.toLowerCase() ? `use ${credential?.option}` : RESERVED[lower];
      if (instead !== undefined) throw mistake(`headers must not set ${lower}: ${instead}.`);
      setHeader(headers, name, value, "headers: ");
    }
  }
  if (headers.get("user-agent") === "")
    throw mistake(
      "headers: user-agent must not be empty: the ledger responds with 429 without one.",
    );
  return headers;
}

/** Returns the headers with others added. Skips headers that exist already, that the client sets, or that are invalid. */
export function addHeaders(headers: Headers, others: Readonly<Record<string, unknown>>): Headers {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(others)) {
    try {
      if (!all.has(name) && !(name.toLowerCase() in RESERVED)) setHeader(all, name, value, "");
    } catch {
      // Observers must not affect calls.
    }
  }
  return all;
}

function entriesOf(layer: Readonly<Record<string, string>> | undefined): [string, unknown][] {
  if (layer === undefined) return [];
  // A Headers object or a list of pairs would look like an object without members.
  if (typeof layer !== "object" || layer === null || Symbol.iterator in layer)
    throw mistake('headers must be a plain object, such as { "x-team": "water" }.');
  return Object.entries(layer);
}

function setHeader(headers: Headers, name: string, value: unknown, where: string): void {
  const shown = /^[\w-]+$/.test(name) ? name : "a name";
  if (typeof value !== "string") throw mistake(`${where}${shown} must be a string.`);
  try {
    headers.set(name, value);
  } catch {
    // The message of the runtime shows the value.
    throw mistake(
      `${where}${shown} is not a valid header, or its value has a line break or a character above U+00FF.`,
    );
  }
}
