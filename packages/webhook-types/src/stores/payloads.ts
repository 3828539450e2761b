import { describeValue, isEncryptionKey, mistake } from "@fieldmesh/core/internal";

/** A key for AES-GCM that encrypts and decrypts, such as the result of `crypto.subtle.importKey`. */
export type EncryptionKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * How to store the payloads of events that were set aside.
 *
 * - `"withoutSecrets"`: as JSON, without one-time codes and activation codes. A code of four characters or more also becomes
 *   `[redacted]` where another field repeats it. Personal data is kept.
 * - A key: the whole event, encrypted with AES-GCM.
 */
export type Payloads = "withoutSecrets" | EncryptionKey;

/** Throws a TypeError for anything else. It shows nothing of a key. */
export function checkPayloads(owner: string, payload: Payloads | undefined): void {
  if (payload === undefined || payload === "withoutSecrets" || isEncryptionKey(payload)) return;
  throw mistake(
    `${owner}: payload must be "withoutSecrets" or a CryptoKey of AES-GCM that encrypts and decrypts, not ${describeValue(payload)}. Create one: await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]).`,
  );
}
