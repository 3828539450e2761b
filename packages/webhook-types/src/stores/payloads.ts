import { readKeys } from "@fieldmesh/core/internal";

/** A key for AES-GCM that encrypts and decrypts, such as the result of `crypto.subtle.importKey`. */
export type EncryptionKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * How to store the payloads of events that were set aside.
 *
 * - `"withoutSecrets"`: as JSON, without one-time codes and activation codes. A code of four characters or more also becomes
 *   `[redacted]` where another field repeats it. Personal data is kept. Anyone who can write to the store can change an event.
 * - A key: the whole event, encrypted with AES-GCM. `runAgain` rejects a payload that is not encrypted.
 * - Several keys, to rotate one: the first encrypts, and all decrypt. Remove the old key when its events are gone.
 */
export type Payloads = "withoutSecrets" | EncryptionKey | readonly EncryptionKey[];

/** Options of a list of failing events. */
export interface PayloadOptions {
  /** How to store payloads, so that events can be run again. @default none is stored */
  readonly payload?: Payloads | undefined;
}

/** Checks how to store payloads. It shows nothing of a key. */
export function readPayloads(payload: unknown, name: string, owner: string): Payloads {
  if (payload === "withoutSecrets") return payload;
  return readKeys(payload, name, owner, '"withoutSecrets" or ');
}
