import type { Secret } from "@fieldmesh/core";
import { signedRequest } from "@fieldmesh/webhook-types";
import { type Sending, sendRequest } from "./send-request.ts";

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
export interface Target extends Pick<Sending, "signal" | "within"> {
  readonly url: URL;
  readonly secret: Secret;
}

/** Signs an event and posts it. Throws a CommandError if no response arrives, or the reason of the signal. */
export async function post(event: object, { url, secret, ...limits }: Target): Promise<Posted> {
  const { response, text } = await sendRequest(await signedRequest(event, { url, secret }), {
    ...limits,
    mostBytes: MOST_BYTES,
    unless: ". Is the receiver running?",
  });
  const outcome = OUTCOME.exec(text)?.[0] ?? "";
  return { status: response.status, outcome, isAccepted: response.ok };
}
