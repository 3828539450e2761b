/**
 * Creates the HMAC-SHA256 with one key, over a prefix and a body. The import `#mac` selects the file by export condition:
 * `mac-node.ts` on Node, `mac-web.ts` elsewhere.
 */
export type CreateMac = (key: string | Uint8Array, encoding: "hex" | "base64") => Mac;

export interface Mac {
  sign(prefix: string, body: string | Uint8Array): string | Promise<string>;
  /** Whether one of the signatures is correct, in constant time. */
  verify(
    prefix: string,
    body: string | Uint8Array,
    signatures: readonly string[],
  ): boolean | Promise<boolean>;
}
