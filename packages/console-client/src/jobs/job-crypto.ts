import { describeValue, memberOf } from "@fieldmesh/core";
import type { JobKey } from "./job-types.ts";

/** Throws a TypeError for anything but a key for AES-GCM. It shows nothing of a key. */
export function checkJobKey(owner: string, key: JobKey): void {
  const usages = memberOf(key, "usages");
  const canBoth = ["encrypt", "decrypt"].every(
    (usage) => Array.isArray(usages) && usages.includes(usage),
  );
  if (memberOf(memberOf(key, "algorithm"), "name") === "AES-GCM" && canBoth) return;
  throw new TypeError(
    `${owner} requires a CryptoKey of AES-GCM that encrypts and decrypts, not ${describeValue(key)}. Create one: await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]).`,
  );
}

const IV_BYTES = 12;
const ID_KEY_BYTES = 32;

/** Encrypts the devices of a job. The id is included, so that the payload of one job cannot replace that of another. */
export async function encryptJob(key: JobKey, id: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const bytes = new TextEncoder().encode(text);
  const encrypted = await crypto.subtle.encrypt(algorithmOf(id, iv), key, bytes);
  return toHex(iv) + toHex(new Uint8Array(encrypted));
}

/** Decrypts the devices of a job. Rejects if the key or the id is another one. */
export async function decryptJob(key: JobKey, id: string, payload: string): Promise<string> {
  const bytes = fromHex(payload);
  const algorithm = algorithmOf(id, bytes.subarray(0, IV_BYTES));
  const decrypted = await crypto.subtle.decrypt(algorithm, key, bytes.subarray(IV_BYTES));
  return new TextDecoder().decode(decrypted);
}

/**
 * Derives the key of the ids from the key of the payloads, which cannot be exported: it is what AES makes of zeros. The constant
 * IV encrypts nothing else.
 */
export async function deriveIdKey(key: JobKey): Promise<JobKey> {
  const zeros = new Uint8Array(ID_KEY_BYTES);
  const algorithm = algorithmOf("fieldmesh ids of jobs", new Uint8Array(IV_BYTES));
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

function algorithmOf(id: string, iv: Uint8Array<ArrayBuffer>) {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(id) };
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
