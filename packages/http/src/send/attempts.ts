import { monotonicClock } from "@fieldmesh/core/internal";
import { withPermit } from "../limit/with-permit.ts";
import type { Deadline } from "../wire/deadline.ts";
import { AttemptFailed, UNSENT } from "./failure.ts";
import { failureToError } from "./failure-to-error.ts";
import { checked } from "./key.ts";
import { type Past, makeAttempt } from "./make-attempt.ts";
import type { PreparedCall, Success } from "./prepared-call.ts";

/** A success, and every request of its call. */
export type Sent = Success & Pick<Past, "attempts">;

/** Makes attempts, each with the key and a permit, until one succeeds or `makeAttempt` decides that none may follow. */
export async function runAttempts(call: PreparedCall, deadline: Deadline): Promise<Sent> {
  const { priority, settings } = call;
  const waiting = { priority, deadline, mayWait: settings.attempts > 1 };
  const past: Past = { attempts: [], failures: [], rejectedKey: undefined };
  try {
    for (;;) {
      await knowKey(call, deadline);
      const ended = await withPermit(call, waiting, async (permit) => {
        // Another call has just had the key rejected. Nobody waits for the function with a permit: it may call this client.
        if (call.key !== undefined && call.key.current() === undefined) return NOT_YET;
        const key = putKey(call, past);
        return await makeAttempt(call, { past, deadline, permit, key });
      });
      if ("value" in ended) return { ...ended, attempts: past.attempts };
      if (ended.wait > 0) await monotonicClock.sleep(ended.wait, deadline.signal());
    }
  } catch (error) {
    throw failureToError(call, past, error);
  }
}

/** Waits until the key of a call is known, so that its request is counted under its own credential. */
async function knowKey({ key }: PreparedCall, deadline: Deadline): Promise<void> {
  if (key !== undefined && key.current() === undefined) await key.ask(deadline.signal());
}

const NOT_YET = { wait: 0 };

/** Sets the known key in the headers of a call, and returns it. */
function putKey({ credential, key, keys, headers }: PreparedCall, past: Past): string | undefined {
  const value = key?.current();
  if (credential === undefined || value === undefined) return undefined;
  checked(credential, () => credential.check?.(value));
  keys.add(value);
  if (value === past.rejectedKey)
    throw new AttemptFailed(UNSENT, { whyEnded: "the function returned the same key again" });
  headers.set(credential.header, (credential.prefix ?? "") + value);
  return value;
}
