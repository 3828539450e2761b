import { readBytes } from "@fieldmesh/core/internal";
import { CommandError } from "../command-error.ts";

/** After this time, the sender of an event retries. In milliseconds. */
export const LONGEST_WAIT = 30_000;

/** How a request is sent. */
export interface Sending {
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly within?: number;
  /** The longest response that is read. Of a longer one, nothing is. */
  readonly mostBytes: number;
  /** The end of the error if nothing responds at the address. */
  readonly unless: string;
}

/** Sends a request to a program, and reads its response. Throws a CommandError if none arrives, or the reason of the signal. */
export async function sendRequest(
  request: Request,
  { signal, within = LONGEST_WAIT, mostBytes, unless }: Sending,
): Promise<{ readonly response: Response; readonly text: string }> {
  const timeout = AbortSignal.timeout(within);
  try {
    const response = await fetch(request, {
      // The body may contain a code, so it must not reach another server.
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = new TextDecoder().decode(await readBytes(response.body, mostBytes));
    return { response, text };
  } catch (error) {
    if (signal.aborted) throw error;
    const { origin } = new URL(request.url);
    throw new CommandError(
      timeout.aborted
        ? `No response from ${origin} within ${within / 1_000} s.`
        : `Nothing responds at ${origin}${unless}`,
    );
  }
}
