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

/** Options of a list of failing events. */
export interface PayloadOptions {
  /** How to store payloads, so that events can be run again. @default none is stored */
  readonly payload?: Payloads | undefined;
}

/** Checks how to store payloads. It shows nothing of a key. */
export function readPayloads(payload: unknown, name: string, owner: string): Payloads {
  if (payload === "withoutSecrets" || isEncryptionKey(payload)) return payload;
  throw mistake(
    `${owner}: ${name} must be "withoutSecrets" or a CryptoKey of AES-GCM that encrypts and decrypts, not ${describeValue(payload)}. Create one: await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]).`,
  );
}
