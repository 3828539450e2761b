import { bodyOf } from "../serve/responses.ts";

/** A response as the page of the sandbox shows it. */
export interface KeptResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` for a body that was too long, that a fault made unreadable, or that was forgotten for newer ones. */
  body: string | undefined;
  /** The characters of the whole body. `undefined` if a fault has replaced it. */
  readonly length: number | undefined;
}

/** Characters of one body. A longer one is not kept. */
const LONGEST = 65_536;
/** Characters of all bodies together. Beyond them, the oldest are forgotten. */
const MOST = 2 ** 24;

/** Creates a function that keeps responses in bounded memory. */
export function keepResponses(): (response: Response) => KeptResponse {
  let total = 0;
  const withBody: KeptResponse[] = [];
  return (response) => {
    const body = bodyOf(response);
    const isKept = body !== undefined && body.length <= LONGEST;
    const kept: KeptResponse = {
      headers: Object.fromEntries(response.headers),
      body: isKept ? body : undefined,
      length: body?.length,
    };
    if (!isKept) return kept;
    withBody.push(kept);
    total += body.length;
    if (total > MOST) {
      // Half of them at once: removing one by one would cost more than the request.
      const forgotten = withBody.splice(0, Math.ceil(withBody.length / 2));
      for (const each of forgotten) {
        total -= each.length ?? 0;
        each.body = undefined;
      }
    }
    return kept;
  };
}
