import { equalText } from "@fieldmesh/core/internal";
import type { CreateMac } from "./mac.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };

/** HMAC-SHA256 with WebCrypto, for browsers, workers, Deno and Bun. */
export const createMac: CreateMac = (key, encoding) => {
  let imported: ReturnType<typeof crypto.subtle.importKey> | undefined;
  // On first use, because a worker must not use crypto while it starts.
  const importKey = () =>
    (imported ??= crypto.subtle.importKey("raw", toBytes(key), HMAC, false, ["sign"]));

  const sign = async (prefix: string, body: string | Uint8Array): Promise<string> => {
    const signature = await crypto.subtle.sign("HMAC", await importKey(), concat(prefix, body));
    return encode(new Uint8Array(signature), encoding);
  };

  return {
    sign,
    verify: async (prefix, body, signatures) => {
      // Compared as strings, because decoding would accept several spellings of the same bytes.
      const expected = await sign(prefix, body);
      return signatures.some((signature) => equalText(expected, signature));
    },
  };
};

type Encoding = Parameters<CreateMac>[1];
type Bytes = Uint8Array<ArrayBuffer>;

function concat(prefix: string, body: string | Uint8Array): Bytes {
  const before = new TextEncoder().encode(prefix);
  const after = toBytes(body);
  const whole = new Uint8Array(before.length + after.length);
  whole.set(before);
  whole.set(after, before.length);
  return whole;
}

function toBytes(value: string | Uint8Array): Bytes {
  return typeof value === "string" ? new TextEncoder().encode(value) : new Uint8Array(value);
}

function encode(bytes: Bytes, encoding: Encoding): string {
  return encoding === "base64"
    ? btoa(String.fromCharCode(...bytes))
    : Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
