import { describeValue, isEncryptionKey, toHex } from "@fieldmesh/core";
import type { JobKey } from "./job-types.ts";

/** Throws a TypeError for anything but a key for AES-GCM. It shows nothing of a key. */
export function checkJobKey(owner: string, key: JobKey): void {
  if (isEncryptionKey(key)) return;
  throw new TypeError(
    `${owner} requires a CryptoKey of AES-GCM that encrypts and decrypts, not ${describeValue(key)}. Create one: await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]).`,
  );
}

const IV_BYTES = 12;
const ID_KEY_BYTES = 32;

/**
 * Derives the key of the ids from the key of the payloads, which cannot be exported: it is what AES makes of zeros. The constant
 * IV encrypts nothing else.
 */
export async function deriveIdKey(key: JobKey): Promise<JobKey> {
  const zeros = new Uint8Array(ID_KEY_BYTES);
  const additionalData = new TextEncoder().encode("fieldmesh ids of jobs");
  const algorithm = { name: "AES-GCM", iv: new Uint8Array(IV_BYTES), additionalData };
  const derived = await crypto.subtle.encrypt(algorithm, key, zeros);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  return await crypto.subtle.importKey("raw", derived, hmac, false, ["sign"]);
}

/** Makes a UUID of version 8 from a string: BullMQ rejects ids with a colon and integers, and pg-boss requires UUIDs. */
export async function idOf(idKey: JobKey, text: string): Promise<string> {
  const signed = await crypto.subtle.sign("HMAC", idKey, new TextEncoder().encode(text));
  const hex = toHex(new Uint8Array(signed));
  // One of 8, 9, a and b.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
