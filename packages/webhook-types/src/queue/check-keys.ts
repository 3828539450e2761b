import {
  checkEncryptionKey,
  describeValue,
  type EncryptionKey,
  mistake,
} from "@fieldmesh/core/internal";

/** Throws a TypeError for anything but a list of keys for AES-GCM. It shows nothing of a key. */
export function checkKeys(owner: string, keys: readonly EncryptionKey[] | undefined): void {
  if (!Array.isArray(keys) || keys.length === 0)
    throw mistake(
      `${owner} requires keys, a list of CryptoKeys of AES-GCM with the newest first, not ${Array.isArray(keys) ? "an empty list" : describeValue(keys)}. Pass keys: [key].`,
    );
  keys.forEach((key, index) => checkEncryptionKey(`${owner}: keys[${index}]`, key));
}
