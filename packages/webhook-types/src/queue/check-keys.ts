import { checkEncryptionKey, describeValue, mistake } from "@fieldmesh/core/internal";
import type { EncryptionKey } from "../stores/payloads.ts";

/** Checks a list of keys for AES-GCM. It shows nothing of a key. */
export function readKeys(keys: unknown, _name: string, owner: string): readonly EncryptionKey[] {
  if (Array.isArray(keys) && keys.length > 0)
    return keys.map((key, index) => checkEncryptionKey(`${owner}: keys[${index}]`, key));
  throw mistake(
    `${owner} requires keys, a list of CryptoKeys of AES-GCM with the newest first, not ${Array.isArray(keys) ? "an empty list" : describeValue(keys)}. Pass keys: [key].`,
  );
}
