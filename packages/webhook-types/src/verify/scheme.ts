/** How a sender signs: what it signs, with which key, and in which headers it sends the signature. You can write your own. */
export interface Scheme {
  /** The name in messages. */
  readonly name: string;
  /** The encoding of a signature. */
  readonly encoding: "hex" | "base64";
  /**
   * Derives the key of the HMAC-SHA256 from the signing secret.
   *
   * Throws a TypeError, which does not show the secret, for a secret that does not have the form of the scheme.
   */
  readonly toKey: (secret: string) => string | Uint8Array;
  /**
   * Reads the headers by their lower-case names, and returns what to compare, or why that is impossible.
   *
   * It is called before a secret is asked for and before the body is read, so that a request without a signature costs neither.
   * Be strict: accepting a loose form lets an attacker bypass the signature. If it throws, the headers count as malformed.
   */
  readonly read: (header: (name: string) => string | undefined) => SignedHeaders | HeaderProblem;
  /** Returns the string before the body in the signed message, and the headers of a signed message. The inverse of `read`. */
  readonly write: (message: { readonly id: string; readonly timestamp: number }) => {
    readonly prefix: string;
    readonly headers: (signature: string) => Record<string, string>;
  };
}

/** What a scheme reads from the headers of a message. */
export interface SignedHeaders {
  /** The string before the body in the signed message. */
  readonly prefix: string;
  /** The signatures, of which one must be correct. The first 8 are compared. */
  readonly signatures: readonly string[];
  /** Unix seconds. `undefined` for a scheme without time, which cannot distinguish a replay from a delivery. */
  readonly timestamp: number | undefined;
  /** The id of the message, if the scheme signs one. */
  readonly id?: string | undefined;
  /** The same of the other header, if it was sent twice with different times. The first 4 signatures of each are compared. */
  readonly second?: Omit<SignedHeaders, "second"> | undefined;
}

/** Why a scheme cannot read the headers of a message. */
export type HeaderProblem = "header_missing" | "header_malformed";
