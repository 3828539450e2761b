import { isRecord, stringifyJson, type Secret, mistake, readInput } from "@fieldmesh/core/internal";
import { createMac } from "#mac";
import { readBody, type RawBody } from "./body.ts";
import { platformScheme } from "./platform-scheme.ts";
import type { Scheme } from "./scheme.ts";
import { secretText } from "./secret-text.ts";

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

/**
 * Signs a body as the service does, and returns the headers. Use it in tests, and in senders.
 *
 * @example
 * ```ts
 * const headers = await sign({ secret: "whsec_test", body: '{"id":"evt_1"}' });
 * ```
 */
export async function sign(options: SignOptions): Promise<Record<string, string>> {
  if (!isRecord(options)) throw mistake("sign requires { secret, body }.");
  const { mac, written, body } = readInput("The argument of sign", () => prepare(options));
  return written.headers(await mac.sign(written.prefix, body));
}

function prepare({
  scheme = platformScheme,
  timestamp = nowInSeconds(),
  id = newId(),
  ...given
}: SignOptions) {
  const body = readBody(given.body);
  const secret = secretText(given.secret);
  if (secret.trim() === "") throw mistake("Pass a secret to sign with. Is the variable set?");
  const mac = createMac(scheme.toKey(secret), scheme.encoding);
  return { body, mac, written: scheme.write({ id, timestamp }) };
}

/** Options of {@link signedRequest}: its URL, and how to sign it. */
export interface SignedRequestOptions extends Omit<SignOptions, "body"> {
  /** The URL of the request. */
  url: string | URL;
}

/**
 * Creates the signed `Request` that delivers an event or a raw body, for tests of a receiver.
 *
 * An event is written as the service writes it: its secrets are revealed.
 *
 * @example
 * ```ts
 * const request = await signedRequest(sampleEvent("sim.activated"), { url: "http://127.0.0.1/hooks", secret: "whsec_test" });
 * ```
 */
export async function signedRequest(
  event: object | RawBody,
  signing: SignedRequestOptions,
): Promise<Request> {
  if (!isRecord(signing)) throw mistake("signedRequest requires an event and { url, secret }.");
  const { url, options, body } = readInput("An argument of signedRequest", () => {
    const { url: given, ...rest } = signing as unknown as SignedRequestOptions;
    if (!URL.canParse(String(given)))
      throw mistake("signedRequest requires the url of the receiver.");
    const raw = isRaw(event) ? readBody(event) : stringifyJson({ ...event }, { reveal: true });
    return { url: given, options: rest, body: raw };
  });
  const headers = await sign({ ...options, body });
  return new Request(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });
}

function isRaw(value: object | RawBody): value is RawBody {
  // Other views are not a raw body either: reading them throws.
  return typeof value === "string" || ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function newId(): string {
  return `msg_${crypto.randomUUID()}`;
}
