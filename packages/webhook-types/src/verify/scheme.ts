/** How a sender signs: what is signed with which key, and where the headers say so. Anyone can write one. */
export interface Scheme {
  /** As messages name it. */
  readonly name: string;
  /** How a signature is written. */
  readonly encoding: "hex" | "base64";
  /**
   * Makes the key of the HMAC-SHA256 from the signing secret.
   *
   * Throws a TypeError, without the secret in it, for a secret without the form of the scheme.
   */
  readonly toKey: (secret: string) => string | Uint8Array;
  /**
   * Reads the headers, which it asks for by lower-case names: what to compare, or why that is impossible.
   *
   * Be strict: accepting a loose form is a way around the signature.
   */
  readonly read: (header: (name: string) => string | undefined) => SignedHeaders | HeaderProblem;
  /** The string before the body in the signed message, and the headers of a signed message. The other direction of `read`. */
  readonly write: (message: { readonly id: string; readonly timestamp: number }) => {
    readonly prefix: string;
    readonly headers: (signature: string) => Record<string, string>;
  };
}

/** What the headers say. */
export interface SignedHeaders {
  /** The string before the body in the signed message. */
  readonly prefix: string;
  /** One of these must be right. */
  readonly signatures: readonly string[];
  /** Unix seconds; `undefined` for a scheme without time, which cannot tell a replay from a delivery. */
  readonly timestamp: number | undefined;
  /** The id of the message, where the scheme signs one. */
  readonly id?: string | undefined;
}

export type HeaderProblem = "header_missing" | "header_malformed";
