import type { CreateMac } from "./mac.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };
const utf8 = new TextEncoder();

/** HMAC-SHA256 by WebCrypto, which browsers, workers, Deno and Bun have. */
export const createMac: CreateMac = (key, encoding) => {
  let imported: ReturnType<typeof crypto.subtle.importKey> | undefined;
  return async (prefix, body) => {
    // On first use: a worker may not do any crypto while it starts.
    imported ??= crypto.subtle.importKey("raw", toBytes(key), HMAC, false, ["sign"]);
    const mac = await crypto.subtle.sign("HMAC", await imported, concat(prefix, body));
    const text = String.fromCharCode(...new Uint8Array(mac));
    return encoding === "base64" ? btoa(text) : toHex(text);
  };
};

function concat(prefix: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const before = utf8.encode(prefix);
  const after = toBytes(body);
  const whole = new Uint8Array(before.length + after.length);
  whole.set(before);
  whole.set(after, before.length);
  return whole;
}

function toBytes(value: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof value === "string" ? utf8.encode(value) : new Uint8Array(value);
}

function toHex(text: string): string {
  return text.replace(/[^]/g, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0"));
}
