import type { CreateMac } from "./mac.ts";

export const createMac: CreateMac = (key, encoding) => {
  // Not at the top, so that importing the package for its types and guards does not load node:crypto.
  const { createHmac, timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const sign = (prefix: string, body: string | Uint8Array): string =>
    createHmac("sha256", key).update(prefix).update(body).digest(encoding);

  return {
    sign,
    verify: (prefix, body, signatures) => {
      // Compared as strings, because decoding would accept several spellings of the same bytes.
      const expected = Buffer.from(sign(prefix, body));
      return signatures.some((signature) => {
        const given = Buffer.from(signature);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
};
