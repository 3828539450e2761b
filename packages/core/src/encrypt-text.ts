import { mistake } from "./mistake.ts";
import { describeValue } from "./describe-value.ts";
import { memberOf } from "./record.ts";
import { fromHex, toHex } from "./hex.ts";

/** A key for AES-GCM that encrypts and decrypts, such as the result of `crypto.subtle.importKey`. */
export type EncryptionKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const IV_BYTES = 12;

/** Tells whether a value is a key for AES-GCM that encrypts and decrypts. */
export function isEncryptionKey(value: unknown): value is EncryptionKey {
  const usages = memberOf(value, "usages");
  return (
    memberOf(memberOf(value, "algorithm"), "name") === "AES-GCM" &&
    ["encrypt", "decrypt"].every((usage) => Array.isArray(usages) && usages.includes(usage))
  );
}

/** Throws a TypeError for anything but a key for AES-GCM that encrypts and decrypts. It shows nothing of a key. */
export function checkEncryptionKey(owner: string, key: unknown): EncryptionKey {
  if (isEncryptionKey(key)) return key;
  throw mistake(
    `${owner} requires a CryptoKey of AES-GCM that encrypts and decrypts, not ${describeValue(key)}. Create one: await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]).`,
  );
}

/**
 * Encrypts a string with AES-GCM and a random IV, as hexadecimal digits. The name is authenticated, so that what was encrypted
 * under one name is rejected under another.
 */
export async function encryptText(key: EncryptionKey, name: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const bytes = new TextEncoder().encode(text);
  const encrypted = await crypto.subtle.encrypt(algorithmOf(name, iv), key, bytes);
  return toHex(iv) + toHex(new Uint8Array(encrypted));
}

/** Decrypts what {@link encryptText} returned. Rejects if the key or the name is another one, or if a digit has changed. */
export async function decryptText(key: EncryptionKey, name: string, hex: string): Promise<string> {
  const bytes = fromHex(hex);
  const algorithm = algorithmOf(name, bytes.subarray(0, IV_BYTES));
  const decrypted = await crypto.subtle.decrypt(algorithm, key, bytes.subarray(IV_BYTES));
  return new TextDecoder().decode(decrypted);
}

function algorithmOf(name: string, iv: Uint8Array<ArrayBuffer>) {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(name) };
}
