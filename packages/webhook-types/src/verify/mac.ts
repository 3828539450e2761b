/**
 * Creates the HMAC-SHA256 of one key, over a prefix and a body, with signatures written as hex or base64.
 *
 * The import `#mac` chooses the file by export condition: `mac-node.ts` on Node, `mac-web.ts` elsewhere. One file of
 * vectors proves both.
 */
export type CreateMac = (key: string | Uint8Array, encoding: "hex" | "base64") => Mac;

export interface Mac {
  sign(prefix: string, body: string | Uint8Array): string | Promise<string>;
  /** Whether one of the signatures is right, in constant time. */
  verify(
    prefix: string,
    body: string | Uint8Array,
    signatures: readonly string[],
  ): boolean | Promise<boolean>;
}
