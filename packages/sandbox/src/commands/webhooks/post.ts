import { readBytes, type Secret } from "@fieldmesh/core/internal";
import { signedRequest } from "@fieldmesh/webhook-types";
import { CommandError } from "../command-error.ts";

/** After this time, the sender retries. In milliseconds. */
export const LONGEST_WAIT = 30_000;
/** The longest part of a response that is read. */
const MOST_BYTES = 2 ** 16;
/** The outcomes of our receivers, such as `not_verified`. Other response bodies are not printed. */
const OUTCOME = /^[a-z_]{1,30}$/;

/** The response of a receiver to an event. */
export interface Posted {
  readonly status: number;
  /** Such as `handled`. Empty if the receiver is not one of ours. */
  readonly outcome: string;
  readonly isAccepted: boolean;
}

/** Returns a response as `--json` prints it. */
export function postRecord({ status, outcome, isAccepted }: Posted): object {
  return { status, outcome: outcome === "" ? null : outcome, accepted: isAccepted };
}

/** The address that an event is sent to, and the secret that signs it. */
export interface Target {
  readonly url: URL;
  readonly secret: Secret;
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly within?: number;
}

/** Signs an event and posts it. Throws a CommandError if no response arrives, or the reason of the signal. */
export async function post(
  event: object,
  { url, secret, signal, within = LONGEST_WAIT }: Target,
): Promise<Posted> {
  const request = await signedRequest(event, { url, secret });
  const timeout = AbortSignal.timeout(within);
  try {
    const response = await fetch(request, {
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = new TextDecoder().decode(await readBytes(response.body, MOST_BYTES));
    const outcome = OUTCOME.exec(text)?.[0] ?? "";
    return { status: response.status, outcome, isAccepted: response.ok };
  } catch (error) {
    if (signal.aborted) throw error;
    throw new CommandError(
      timeout.aborted
        ? `No response from ${url.origin} within ${within / 1_000} s.`
        : `Nothing responds at ${url.origin}. Is the receiver running?`,
    );
  }
}
