import type { CreateMac } from "./mac.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };
const utf8 = new TextEncoder();

/** HMAC-SHA256 with WebCrypto, for browsers, workers, Deno and Bun. */
export const createMac: CreateMac = (key, encoding) => {
  let imported: ReturnType<typeof crypto.subtle.importKey> | undefined;
  // On first use, because a worker must not use crypto while it starts.
  const importKey = () =>
    (imported ??= crypto.subtle.importKey("raw", toBytes(key), HMAC, false, ["sign", "verify"]));

  return {
    sign: async (prefix, body) => {
      const signature = await crypto.subtle.sign("HMAC", await importKey(), concat(prefix, body));
      return encode(new Uint8Array(signature), encoding);
    },
    verify: async (prefix, body, signatures) => {
      const message = concat(prefix, body);
      for (const signature of signatures) {
        const bytes = decode(signature, encoding);
        // `subtle.verify` compares in constant time.
        if (bytes && (await crypto.subtle.verify("HMAC", await importKey(), bytes, message)))
          return true;
      }
      return false;
    },
  };
};

type Encoding = Parameters<CreateMac>[1];
type Bytes = Uint8Array<ArrayBuffer>;

function concat(prefix: string, body: string | Uint8Array): Bytes {
  const before = utf8.encode(prefix);
  const after = toBytes(body);
  const whole = new Uint8Array(before.length + after.length);
  whole.set(before);
  whole.set(after, before.length);
  return whole;
}

function toBytes(value: string | Uint8Array): Bytes {
  return typeof value === "string" ? utf8.encode(value) : new Uint8Array(value);
}

function encode(bytes: Bytes, encoding: Encoding): string {
  return encoding === "base64"
    ? btoa(String.fromCharCode(...bytes))
    : Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns `undefined` for anything but the spelling that `encode` writes. */
function decode(signature: string, encoding: Encoding): Bytes | undefined {
  try {
    const bytes =
      encoding === "base64"
        ? Uint8Array.from(atob(signature), (character) => character.charCodeAt(0))
        : Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    return encode(bytes, encoding) === signature ? bytes : undefined;
  } catch {
    return undefined;
  }
}
