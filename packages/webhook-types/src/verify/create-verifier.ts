// Why it is so: docs/decisions/08-webhook-verifier.md
import {
  anything,
  checkNames,
  hasMethod,
  isOurs,
  mistake,
  type OptionTable,
  readInput,
  recordOf,
  type Secret,
  within,
} from "@fieldmesh/core/internal";
import { createMac } from "#mac";
import { readBody, type RawBody, type HeadersLike, readHeader } from "./message.ts";
import { platformScheme } from "./platform-scheme.ts";
import type { Scheme, SignedHeaders } from "./scheme.ts";
import { checkForms, readSecrets } from "./read-secrets.ts";
import { WebhookVerificationError } from "./verification-error.ts";

/** Options of {@link createVerifier}: one secret, or several during a rotation. */
export interface VerifierOptions {
  /**
   * The signing secret of the webhook endpoint, as a string or a Secret, with at least 8 characters. `console.warn` names one of
   * fewer than 16 after its `whsec_`, once.
   *
   * A function that returns one or several secrets is called before the first message that has the headers of a signature, and
   * again after a message that none of them signed, at most every ten seconds. A secret can therefore change without a restart. A
   * call that takes longer than ten seconds counts as failed, and a failed call is repeated after ten seconds at the earliest.
   */
  secret?: Secret | string | SecretFunction | undefined;
  /** Several secrets, any of which may have signed. */
  secrets?: readonly (Secret | string)[] | undefined;
  /** How the sender signs. @default platformScheme */
  scheme?: Scheme | undefined;
  /**
   * How many seconds ago, or ahead, a message may have been signed. `Infinity` verifies stored messages of any age.
   *
   * @default 300 - the limit of the service (observed)
   */
  tolerance?: number | undefined;
  /** Returns the time in milliseconds since 1970, like `Date.now`. */
  now?: (() => number) | undefined;
}

/** Returns the secret, or several during a rotation. */
export type SecretFunction = () => SecretsGiven | Promise<SecretsGiven>;

/** One secret, or several during a rotation. */
export type SecretsGiven = Secret | string | readonly (Secret | string)[];

/** A message as it arrived. A `Request` is not one: first read its body with `await request.text()`. */
export interface SignedMessage {
  readonly body: RawBody;
  readonly headers: HeadersLike;
}

/** The result of a verification. */
export interface VerifiedMessage {
  /** The verified body: pass it to `parseEvent`. */
  readonly body: string | Uint8Array;
  /** The index in `secrets` of the secret that matched. 0 for `secret`. */
  readonly secretIndex: number;
  /** When it was signed, in Unix seconds. `undefined` for a scheme without time. */
  readonly timestamp: number | undefined;
  /** The id of the message, if the scheme signs one. */
  readonly id: string | undefined;
}

/** Verifies a message. Throws a {@link WebhookVerificationError}, or a TypeError for a body that is not raw. */
export type Verifier = (message: SignedMessage) => Promise<VerifiedMessage>;

/** A verifier of ours, which need not read the headers again if that was done before. */
export type InnerVerifier = (
  message: SignedMessage,
  signed?: SignedHeaders,
) => Promise<VerifiedMessage>;

const DEFAULT_TOLERANCE = 300;
/** During a rotation, a sender signs with two secrets. Anyone can send a header with thousands of signatures. */
const MOST_SIGNATURES = 8;

/**
 * Creates a function that verifies messages: first the HMAC over the raw bytes, in constant time, then the timestamp. Of the
 * signatures in one message, the first 8 are compared.
 *
 * Throws a TypeError, which does not show the secret, for invalid options.
 *
 * @example
 * ```ts
 * const verify = createVerifier({ secret: process.env.WEBHOOK_SECRET! });
 * const { body } = await verify({ body: await request.text(), headers: request.headers });
 * ```
 */
export function createVerifier(given: VerifierOptions): Verifier {
  const verify = makeVerifier(given);
  // Not `verify` itself, because `messages.map(verify)` passes an index.
  return (message) => verify(message);
}

export function makeVerifier(given: VerifierOptions): InnerVerifier {
  return readInput("The argument of createVerifier", () => chooseVerifier(given));
}

function chooseVerifier(given: VerifierOptions): InnerVerifier {
  const { secret, secrets: list, ...rest } = Object(given) as VerifierOptions;
  checkNames("A verifier", { ...recordOf(given) }, Object.keys(verifierTable));
  if (typeof secret === "function" && list === undefined) return askingVerifier(rest, secret);
  const secrets = readSecrets(given);
  checkForms(secrets, list !== undefined);
  return verifierOf(given, secrets);
}

/** The options of a verifier. Their values are checked where they are used, because `explain` tries others. */
export const verifierTable: OptionTable<VerifierOptions> = {
  secret: anything,
  secrets: anything,
  scheme: anything,
  tolerance: anything,
  now: anything,
};

/** Works like createVerifier, with unchecked secrets: `explain` also tries one that ends in a line break. */
export function verifierOf(given: VerifierOptions, secrets: readonly string[]): InnerVerifier {
  const { scheme = platformScheme, tolerance = DEFAULT_TOLERANCE, now = Date.now } = given;
  if (typeof tolerance !== "number" || !(tolerance >= 0))
    throw mistake("tolerance must be a number of seconds, from 0 up.");
  if (!hasMethod(scheme, "toKey") || !hasMethod(scheme, "read"))
    throw mistake("scheme must be a scheme, such as standardWebhooks, or omitted.");
  const macs = secrets.map((secret) => createMac(scheme.toKey(secret), scheme.encoding));

  return async (message, signed) => {
    const body = readInput("The message", () => readBody(Object(message).body));
    const first = signed ?? readSigned(scheme, message);
    const parts = first.second === undefined ? [first] : [first, first.second];
    for (const [secretIndex, mac] of macs.entries()) {
      for (const { prefix, signatures, timestamp, id } of parts) {
        const compared = signatures.slice(0, MOST_SIGNATURES / parts.length);
        if (!(await mac.verify(prefix, body, compared))) continue;
        // After the signature, so that a wrong time always means a wrong clock or a replay.
        if (timestamp !== undefined) checkAge(timestamp, tolerance, now());
        return { body, secretIndex, timestamp, id };
      }
    }
    throw new WebhookVerificationError("signature_mismatch");
  };
}

/** Reads the headers of a message, before its body is read and before a secret is asked for. */
export function readSigned(
  scheme: Scheme | undefined = platformScheme,
  message: Pick<SignedMessage, "headers">,
): SignedHeaders {
  const names: string[] = [];
  const readNamed = (name: string): string | undefined => {
    names.push(name);
    return readInput("The message", () => readHeader(message.headers, name));
  };
  let signed: ReturnType<Scheme["read"]> = "header_malformed";
  try {
    signed = scheme.read(readNamed);
  } catch (error) {
    // A scheme of the user throws for a header that it cannot read, and anyone can send one.
    if (isOurs(error)) throw error;
  }
  if (typeof signed === "string") throw new WebhookVerificationError(signed, names);
  return signed;
}

// Anyone can send a wrong signature, and asking a vault costs time or money.
const LEAST_WAIT = 10_000;
/** A vault that hangs must not keep the deliveries that wait for it, and not the function from being called again. */
const LONGEST_CALL = LEAST_WAIT;
const TOO_LATE =
  "The function that returns the secret did not settle within 10 s. Set a shorter timeout in it.";

/**
 * Works like createVerifier, with a function. With `onSecrets`, which is called for each set that it has returned, no secret is a
 * set that verifies nothing.
 */
export function askingVerifier(
  others: VerifierOptions,
  ask: () => SecretsGiven | undefined | Promise<SecretsGiven | undefined>,
  { onSecrets }: { readonly onSecrets?: () => void } = {},
): InnerVerifier {
  // Checks the other options.
  verifierOf(others, []);
  let current: InnerVerifier | undefined;
  let asking: Promise<InnerVerifier> | undefined;
  let last: Promise<InnerVerifier> | undefined;
  let askedAt = 0;
  // The clock of the machine may be set back. One that the caller passes is also the time of the messages.
  const time = others.now ?? (() => performance.now());
  // In both directions, so that a clock of the caller that is set back blocks nothing.
  const isRecent = () => !asking && Math.abs(time() - askedAt) < LEAST_WAIT;

  const askOnce = async (): Promise<InnerVerifier> => {
    try {
      const given = await within(LONGEST_CALL, ask, TOO_LATE);
      // A database finds an empty list or null. As a list, whose TypeError says that a secret is missing.
      const secrets = [given ?? []].flat() as (Secret | string)[];
      if (secrets.length === 0 && onSecrets) return (current = verifierOf(others, []));
      current = makeVerifier({ ...others, secrets });
      onSecrets?.();
      return current;
    } finally {
      asking = undefined;
      askedAt = time();
    }
  };
  const renew = (): Promise<InnerVerifier> => (last = asking ??= askOnce());

  return async (message, signed = readSigned(others.scheme, message)) => {
    // While no secret is known, a call that has failed rejects each message until it may be repeated.
    const verify = current ?? (await ((isRecent() && last) || renew()));
    try {
      return await verify(message, signed);
    } catch (error) {
      if ((error as { reason?: unknown }).reason !== "signature_mismatch") throw error;
      const next = isRecent() ? (current ?? verify) : await renew().catch(secretFailed);
      if (next === verify) throw error;
      return next(message, signed);
    }
  };
}

/** The known secret is kept, so only this error shows that a newer one could not be read. */
function secretFailed(cause: unknown = "undefined"): never {
  throw new WebhookVerificationError("signature_mismatch", [], { cause });
}

function checkAge(timestamp: number, tolerance: number, now: number): void {
  const age = Math.floor(now / 1000) - timestamp;
  // Compared in this direction, so that NaN is rejected too.
  if (Math.abs(age) <= tolerance) return;
  throw new WebhookVerificationError(age > 0 ? "timestamp_too_old" : "timestamp_too_new");
}
