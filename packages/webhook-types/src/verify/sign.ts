import {
  anything,
  isBuffer,
  isRecord,
  mistake,
  options,
  readInput,
  stringifyJson,
  type Secret,
} from "@fieldmesh/core/internal";
import { createMac } from "#mac";
import { readBody, type RawBody } from "./message.ts";
import { platformScheme } from "./platform-scheme.ts";
import type { Scheme } from "./scheme.ts";
import { secretText } from "./read-secrets.ts";

/** Options of {@link sign}. */
export interface SignOptions {
  /** The signing secret, as a string or a Secret. */
  secret: Secret | string;
  /** The body, exactly as it is sent. */
  body: RawBody;
  /** The scheme. @default platformScheme */
  scheme?: Scheme | undefined;
  /** Unix seconds. @default now */
  timestamp?: number | undefined;
  /** The id of the message, if the scheme signs one. @default a new one */
  id?: string | undefined;
}

const readOptions = /* @__PURE__ */ options<SignOptions>("sign", {
  secret: { required: anything },
  body: { required: anything },
  scheme: anything,
  timestamp: anything,
  id: anything,
});

/**
 * Signs a body as the service does, and returns the headers. Use it in tests, and in senders.
 *
 * @example
 * ```ts
 * const headers = await sign({ secret: "whsec_test_secret_only", body: '{"id":"evt_1"}' });
 * ```
 */
export async function sign(given: SignOptions): Promise<Record<string, string>> {
  if (!isRecord(given)) throw mistake("sign requires { secret, body }.");
  const { mac, written, body } = readInput("The argument of sign", () => prepare({ ...given }));
  return written.headers(await mac.sign(written.prefix, body));
}

function prepare(given: SignOptions) {
  const own = readOptions(given);
  const { scheme = platformScheme, timestamp = Math.floor(Date.now() / 1000) } = own;
  const { id = `msg_${crypto.randomUUID()}` } = own;
  const body = readBody(own.body);
  const secret = secretText(own.secret);
  if (secret.trim() === "") throw mistake("Pass a secret to sign with. Is the variable set?");
  const mac = createMac(scheme.toKey(secret), scheme.encoding);
  return { body, mac, written: scheme.write({ id, timestamp }) };
}

/** Options of {@link signedRequest}: its URL, and how to sign it. */
export interface SignedRequestOptions extends Omit<SignOptions, "body"> {
  /** The URL of the request. */
  url: string | URL;
}

const readRequestOptions = /* @__PURE__ */ options<SignedRequestOptions>("signedRequest", {
  secret: { required: anything },
  scheme: anything,
  timestamp: anything,
  id: anything,
  url: { required: anything },
});

/**
 * Creates the signed `Request` that delivers an event or a raw body, for tests of a receiver.
 *
 * An event is written as the service writes it: its secrets are revealed.
 *
 * @example
 * ```ts
 * const request = await signedRequest(sampleEvent("sim.activated"), { url: "http://127.0.0.1/hooks", secret: "whsec_test_secret_only" });
 * ```
 */
export async function signedRequest(
  event: object | RawBody,
  signing: SignedRequestOptions,
): Promise<Request> {
  if (!isRecord(signing)) throw mistake("signedRequest requires an event and { url, secret }.");
  const { url, signs, body } = readInput("An argument of signedRequest", () => {
    const { url: given, ...rest } = readRequestOptions({ ...signing });
    if (!URL.canParse(String(given)))
      throw mistake("signedRequest requires the url of the receiver.");
    const raw = isRaw(event) ? readBody(event) : stringifyJson({ ...event }, { reveal: true });
    return { url: given, signs: rest, body: raw };
  });
  const headers = await sign({ ...signs, body });
  return new Request(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });
}

function isRaw(value: object | RawBody): value is RawBody {
  // Other views are not a raw body either: reading them throws.
  return typeof value === "string" || ArrayBuffer.isView(value) || isBuffer(value);
}
