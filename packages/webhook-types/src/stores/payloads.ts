import { describeValue, memberOf } from "@fieldmesh/core";

/** A key for AES-GCM that encrypts and decrypts, such as `crypto.subtle.importKey` returns. */
export type EncryptionKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * How the payloads of events that were set aside are kept.
 *
 * - `"withoutSecrets"`: as JSON, without one-time codes and activation codes. A code of four characters or more is also
 *   replaced by `[redacted]` where another field repeats it. Personal data stays in it.
 * - A key: the whole event, encrypted with AES-GCM.
 */
export type Payloads = "withoutSecrets" | EncryptionKey;

/** Throws a TypeError for what is neither; it shows nothing of a key. */
export function checkPayloads(owner: string, payload: Payloads | undefined): void {
  if (payload === undefined || payload === "withoutSecrets") return;
  const usages = memberOf(payload, "usages");
  const canBoth = ["encrypt", "decrypt"].every(
    (usage) => Array.isArray(usages) && usages.includes(usage),
  );
  if (memberOf(memberOf(payload, "algorithm"), "name") === "AES-GCM" && canBoth) return;
  throw new TypeError(
    `${owner}: payload must be "withoutSecrets" or a CryptoKey of AES-GCM that encrypts and decrypts, and not ${describeValue(payload)}. Make one: await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]).`,
  );
}
