import type { EncryptionKey } from "./encrypt-text.ts";
import { toHex } from "./hex.ts";

const IV_BYTES = 12;
const ID_KEY_BYTES = 32;

/**
 * Derives a key for {@link makeId} from a key for AES-GCM, which cannot be exported: it is what AES makes of zeros. The constant
 * IV encrypts nothing else. Ids of two purposes have nothing in common.
 */
export async function deriveIdKey(key: EncryptionKey, purpose: string): Promise<EncryptionKey> {
  const zeros = new Uint8Array(ID_KEY_BYTES);
  const additionalData = new TextEncoder().encode(purpose);
  const algorithm = { name: "AES-GCM", iv: new Uint8Array(IV_BYTES), additionalData };
  const derived = await crypto.subtle.encrypt(algorithm, key, zeros);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  return await crypto.subtle.importKey("raw", derived, hmac, false, ["sign"]);
}

/**
 * Makes a UUID of version 8 from a string, with HMAC-SHA-256: the same string and key make the same UUID, which says nothing of
 * the string. As the id of a job, it suits BullMQ, which rejects a colon and integers, and pg-boss, which requires UUIDs.
 */
export async function makeId(idKey: EncryptionKey, text: string): Promise<string> {
  const signed = await crypto.subtle.sign("HMAC", idKey, new TextEncoder().encode(text));
  const hex = toHex(new Uint8Array(signed));
  // One of 8, 9, a and b.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Whether a value has the form of a UUID, so that a message may show it. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
