import { toHex } from "./hex.ts";

/** Returns the hash of a string, in hexadecimal digits. */
export async function digestOf(algorithm: "SHA-1" | "SHA-256", text: string): Promise<string> {
  const digest = await crypto.subtle.digest(algorithm, new TextEncoder().encode(text));
  return toHex(new Uint8Array(digest));
}
