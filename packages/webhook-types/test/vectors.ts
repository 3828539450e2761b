import {
  createVerifier,
  platformScheme,
  standardWebhooks,
  WebhookVerificationError,
} from "../src/index.ts";
import vectors from "./vectors.json" with { type: "json" };

/** The result that every implementation of HMAC must return for a message: Node's, WebCrypto's, and those of other runtimes. */
export interface Vector {
  readonly name: string;
  readonly scheme: string;
  readonly secrets: readonly string[];
  /** Unix seconds. */
  readonly now: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly expect: { readonly secretIndex?: number; readonly reason?: string };
}

export const allVectors = vectors as readonly Vector[];

/** Verifies the message of a vector, with its body as bytes, and also as a string if it is one. */
export async function outcomesOf(
  vector: Vector,
  create: typeof createVerifier = createVerifier,
): Promise<Vector["expect"][]> {
  const { secrets, headers, body, now } = vector;
  const scheme = vector.scheme === standardWebhooks.name ? standardWebhooks : platformScheme;
  const verify = create({ secrets, scheme, now: () => now * 1000 });
  const bytes =
    body === undefined
      ? Uint8Array.from(atob(vector.bodyBase64 ?? ""), (char) => char.charCodeAt(0))
      : new TextEncoder().encode(body);
  const bodies = [bytes, bytes.buffer, ...(body === undefined ? [] : [body])];
  return Promise.all(
    bodies.map((each) =>
      verify({ body: each, headers }).then(
        ({ secretIndex }) => ({ secretIndex }),
        (error: unknown) => {
          if (error instanceof WebhookVerificationError) return { reason: error.reason };
          throw error;
        },
      ),
    ),
  );
}
