/**
 * Makes the function that signs with one key: HMAC-SHA256 over a prefix and a body, as hex or base64.
 *
 * Two files have it, and the import `#mac` chooses by export condition: `mac-node.ts` for Node and `mac-web.ts` for
 * everybody else. One file of vectors proves both.
 */
export type CreateMac = (key: string | Uint8Array, encoding: "hex" | "base64") => Mac;

export type Mac = (prefix: string, body: string | Uint8Array) => string | Promise<string>;
