/**
 * Writes bytes as hexadecimal digits in lower case.
 *
 * @example
 * ```ts
 * toHex(new Uint8Array([0, 255])); // "00ff"
 * ```
 */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Reads hexadecimal digits. A single digit at the end is left out. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
