import { mistake } from "./mistake.ts";
import { describeValue } from "./describe-value.ts";
import { memberOf } from "./record.ts";
import { fromHex, toHex } from "./hex.ts";

/** A key for AES-GCM that encrypts and decrypts, such as the result of `crypto.subtle.importKey`. */
export type EncryptionKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** One key, or several during a rotation, the newest first: that one encrypts, and all decrypt. */
export type EncryptionKeys = EncryptionKey | readonly EncryptionKey[];

const IV_BYTES = 12;

/**
 * Returns one or several keys as a list. Throws a TypeError for anything but keys for AES-GCM that encrypt and decrypt, which
 * shows nothing of a key. `also` is what else the option may be.
 */
export function readKeys(
  given: unknown,
  name: string,
  owner: string,
  also = "",
): readonly EncryptionKey[] {
  const keys: readonly unknown[] = Array.isArray(given) ? given : [given];
  const wrong = keys.findIndex((key) => !isEncryptionKey(key));
  if (keys.length > 0 && wrong === -1) return keys as EncryptionKey[];
  const [which, what] = keys === given && wrong !== -1 ? [`[${wrong}]`, keys[wrong]] : ["", given];
  throw mistake(
    `${name}${which} of ${owner} must be ${also}a CryptoKey of AES-GCM that encrypts and decrypts, or a list of them with the newest first, not ${keys.length === 0 ? "an empty list" : describeValue(what)}. Create one: await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]).`,
  );
}

function isEncryptionKey(value: unknown): boolean {
  const usages = memberOf(value, "usages");
  return (
    memberOf(memberOf(value, "algorithm"), "name") === "AES-GCM" &&
    ["encrypt", "decrypt"].every((usage) => Array.isArray(usages) && usages.includes(usage))
  );
}

/** The newest key: it encrypts, and makes ids. */
export function newestKey(keys: EncryptionKeys): EncryptionKey {
  // Not empty, because it was checked.
  return [keys].flat()[0] as EncryptionKey;
}

/**
 * Encrypts a string with AES-GCM and a random IV, as hexadecimal digits. The name is authenticated, so that what was encrypted
 * under one name is rejected under another.
 */
export async function encryptText(
  keys: EncryptionKeys,
  name: string,
  text: string,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const bytes = new TextEncoder().encode(text);
  const encrypted = await crypto.subtle.encrypt(algorithmOf(name, iv), newestKey(keys), bytes);
  return toHex(iv) + toHex(new Uint8Array(encrypted));
}

/** Decrypts what {@link encryptText} returned. Rejects if no key fits, if the name is another one, or if a digit has changed. */
export async function decryptText(
  keys: EncryptionKeys,
  name: string,
  hex: string,
): Promise<string> {
  const bytes = fromHex(hex);
  const algorithm = algorithmOf(name, bytes.subarray(0, IV_BYTES));
  const encrypted = bytes.subarray(IV_BYTES);
  // Only the key that has encrypted it succeeds.
  const decrypting = [keys].flat().map((key) => crypto.subtle.decrypt(algorithm, key, encrypted));
  return new TextDecoder().decode(await Promise.any(decrypting));
}

function algorithmOf(name: string, iv: Uint8Array<ArrayBuffer>) {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(name) };
}
