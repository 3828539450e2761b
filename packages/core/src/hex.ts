const BYTES = 256;
// A table, because a body of a webhook may have a megabyte, and formatting each byte would block the process for a second.
const DIGITS = /* @__PURE__ */ Array.from({ length: BYTES }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);

/** Writes bytes as hexadecimal digits in lower case. */
export function toHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += DIGITS[byte];
  return hex;
}

/** Reads hexadecimal digits. A single digit at the end is left out. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** Returns the hash of a string, in hexadecimal digits. */
export async function digestOf(algorithm: "SHA-1" | "SHA-256", text: string): Promise<string> {
  const digest = await crypto.subtle.digest(algorithm, new TextEncoder().encode(text));
  return toHex(new Uint8Array(digest));
}
