import { anything, options, recordOf } from "@fieldmesh/core/internal";
import type { Secret } from "@fieldmesh/core";
import {
  verifierOf,
  verifierTable,
  type SignedMessage,
  type VerifierOptions,
} from "../verify/create-verifier.ts";
import { readSecrets, secretText } from "../verify/read-secrets.ts";
import { WebhookVerificationError, type VerificationReason } from "../verify/verification-error.ts";
import { readBody, readHeader } from "../verify/message.ts";
import { platformScheme } from "../verify/platform-scheme.ts";
import { standardWebhooks } from "../verify/standard-webhooks.ts";
import type { Scheme } from "../verify/scheme.ts";
import { decompressed, otherBodies } from "./other-bodies.ts";
import { isReadable, otherHeaders } from "./other-headers.ts";

/** A common mistake. */
export type Cause =
  | "reserialized_json"
  | "trailing_newline"
  | "byte_order_mark"
  | "blanks_around_secret"
  | "clock_skew"
  | "other_secret"
  | "other_scheme"
  | "blank_in_header"
  | "different_times"
  | "doubled_header"
  | "compressed_body"
  | "unknown";

/** A likely cause of a failed verification, and what to do. */
export interface LikelyCause {
  readonly cause: Cause;
  /** What was found, and what to do. Contains no secret, no body, and never the correct signature. */
  readonly message: string;
  /** Whether this single change made the message valid. */
  readonly isProved: boolean;
}

/** The result of {@link explain}: the message is verified, or these are the likely causes. */
export type Explanation =
  | { readonly isVerified: true }
  | {
      readonly isVerified: false;
      readonly reason: VerificationReason;
      readonly causes: readonly LikelyCause[];
    };

/** Options of {@link explain}: those of the verifier, and further secrets that you know. */
export interface ExplainOptions extends VerifierOptions {
  /** Secrets of your other webhook endpoints and environments, to find out whether one of them signed the message. */
  otherSecrets?: readonly (Secret | string)[] | undefined;
}

const readOptions = /* @__PURE__ */ options<ExplainOptions>("explain", {
  ...verifierTable,
  otherSecrets: anything,
});

/**
 * Finds out why a message is not verified. Use it in a shell or a test, with the options of the verifier.
 *
 * It tries one change after another (body, secret, scheme, header, time) and returns the one that makes the signature valid. Do not call
 * it for every message: it costs about twenty verifications.
 *
 * @example
 * ```ts
 * console.log(await explain({ secret: process.env.WEBHOOK_SECRET! }, { body, headers }));
 * ```
 */
export async function explain(given: ExplainOptions, message: SignedMessage): Promise<Explanation> {
  const { secret, ...rest } = readOptions(given);
  const own =
    typeof secret === "function"
      ? { ...rest, secrets: [await secret()].flat() }
      : { ...rest, secret };
  const reason = await rejectionReason(own, message);
  if (reason === undefined) return { isVerified: true };
  const causes = [
    ...clockSkew(reason, own, message),
    ...(await otherScheme(own, message)),
    ...(await rewrittenHeaders(reason, own, message)),
    ...(reason === "signature_mismatch" ? await mismatches(own, message) : []),
  ];
  return { isVerified: false, reason, causes: causes.length > 0 ? causes : [unknownCause(reason)] };
}

/** Returns why the verifier rejects the message, or `undefined` if it accepts it. */
async function rejectionReason(
  own: VerifierOptions,
  message: SignedMessage,
): Promise<VerificationReason | undefined> {
  try {
    await verifierOf(own, readSecrets(own))(message);
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
}

async function fits(own: VerifierOptions, message: SignedMessage): Promise<boolean> {
  try {
    const atAnyTime = { ...own, tolerance: Number.POSITIVE_INFINITY };
    return (await rejectionReason(atAnyTime, message)) === undefined;
  } catch {
    // There is no such secret, or it does not have the form of that scheme.
    return false;
  }
}

function clockSkew(
  reason: VerificationReason,
  { scheme = platformScheme, now = Date.now }: ExplainOptions,
  { headers }: SignedMessage,
): LikelyCause[] {
  if (reason !== "timestamp_too_old" && reason !== "timestamp_too_new") return [];
  // It was read before, to find the reason.
  const { timestamp } = recordOf(scheme.read((name) => readHeader(headers, name)));
  const seconds = Math.floor(now() / 1000) - Number(timestamp);
  const when = `${Math.abs(seconds)} s ${seconds > 0 ? "ago" : "in the future"}`;
  const message = `The signature is correct, but according to the clock of this machine it was created ${when}. Set the clock. If it is right, this is a replay.`;
  return [proved("clock_skew", message)];
}

async function otherScheme(own: ExplainOptions, message: SignedMessage): Promise<LikelyCause[]> {
  const { scheme = platformScheme } = own;
  const other = scheme.name === standardWebhooks.name ? platformScheme : standardWebhooks;
  if (await fits({ ...own, scheme: other }, message)) {
    const advice = `The message is signed by the scheme ${other.name}: pass it as scheme.`;
    return [proved("other_scheme", advice)];
  }
  const withItsKey: Scheme = { ...scheme, toKey: other.toKey };
  if (!(await fits({ ...own, scheme: withItsKey }, message))) return [];
  const form = other === platformScheme ? "as a string" : "as base64";
  const advice = `The sender uses the secret ${form}, which is the form of the scheme ${other.name}.`;
  return [proved("other_scheme", advice)];
}

async function rewrittenHeaders(
  reason: VerificationReason,
  own: ExplainOptions,
  message: SignedMessage,
): Promise<LikelyCause[]> {
  if (reason !== "signature_mismatch" && reason !== "header_malformed") return [];
  const { scheme = platformScheme } = own;
  const guesses: LikelyCause[] = [];
  for (const { cause, headers, message: text } of otherHeaders(scheme, message.headers)) {
    if (await fits(own, { ...message, headers })) return [proved(cause, text)];
    if (reason === "header_malformed" && isReadable(scheme, headers))
      guesses.push(guessed(cause, `${text} That is not the only cause.`));
  }
  return guesses.slice(0, 1);
}

async function mismatches(own: ExplainOptions, message: SignedMessage): Promise<LikelyCause[]> {
  const { secret: _, secrets: __, otherSecrets = [], ...rest } = own;
  const secrets = readSecrets(own);
  const found: LikelyCause[] = [];
  const guesses: LikelyCause[] = [];

  for (const [index, other] of otherSecrets.entries()) {
    if (!(await fits({ ...rest, secret: secretText(other) }, message))) continue;
    const advice = `otherSecrets[${index}] signed the message: it is for another webhook endpoint or environment.`;
    found.push(proved("other_secret", advice));
  }
  const trimmed = secrets.map((each) => each.trim());
  const hasBlanks = trimmed.join() !== secrets.join();
  if (hasBlanks && (await fits({ ...rest, secrets: trimmed }, message)))
    found.push(
      proved(
        "blanks_around_secret",
        "The secret has spaces or a line break around it, from a file or a shell: trim it.",
      ),
    );
  const compressed = await decompressed(readBody(message.body), message.headers);
  if (compressed !== undefined) {
    const { encoding, content } = compressed;
    if (content && (await fits({ ...rest, secrets }, { ...message, body: content })))
      found.push(
        proved(
          "compressed_body",
          `The body is compressed (${encoding}), and the signature is that of its content. Decompress it before you verify it, or stop the proxy that compresses it.`,
        ),
      );
    guesses.push(
      guessed(
        "compressed_body",
        `The body is or was compressed (${encoding}). The sender may have signed it before or after that: pass the other form.`,
      ),
    );
  }
  for (const { cause, body, message: text } of otherBodies(readBody(message.body))) {
    if (!(await fits({ ...rest, secrets }, { ...message, body }))) continue;
    found.push(proved(cause, text));
    break;
  }
  if (hasBlanks)
    guesses.push(
      guessed(
        "blanks_around_secret",
        "The secret has spaces or a line break around it. That is not the only cause.",
      ),
    );
  return found.length > 0 ? found : guesses;
}

function proved(cause: Cause, message: string): LikelyCause {
  return { cause, message, isProved: true };
}

function guessed(cause: Cause, message: string): LikelyCause {
  return { cause, message, isProved: false };
}

function unknownCause(reason: VerificationReason): LikelyCause {
  const message =
    reason === "signature_mismatch"
      ? "None of the usual changes makes the signature valid. The most likely causes are another secret, or a body that was parsed and serialized again."
      : "The headers do not match this scheme. Check that the request is signed, and that no proxy drops or rewrites a header.";
  return guessed("unknown", message);
}
