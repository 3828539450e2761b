import {
  type Clock,
  describeValue,
  isError,
  monotonicClock,
  revealText,
  within,
} from "@fieldmesh/core/internal";
import { type Credential, checkReturnedKey } from "../options/credential.ts";
import { untilAborted } from "../wire/deadline.ts";
import { AttemptFailed } from "./failure.ts";

/** The API key of a client. If a function returns it, it is kept until a response rejects it. */
export interface Key {
  /** Returns the key, or `undefined` if the function must be called first. */
  current(): string | undefined;
  /** Calls the function. Simultaneous calls share one result. Throws an AttemptFailed, or the reason of the signal. */
  ask(signal: AbortSignal): Promise<string>;
  /** Records a 401 to this key. Returns whether another request may carry another key: false for a fixed or a new key. */
  reject(rejected: string | undefined): boolean;
}

/** If the key that a function returned after a 401 is rejected too, it has no other key yet and is not called again so soon. */
const ASK_AGAIN_AFTER = 10_000;

/** A vault that hangs must not hold the calls that share its result. Their `totalTimeout` may end them earlier. */
const LONGEST_CALL = 10_000;
const HANGS = "It did not settle within 10 s. Set a shorter timeout in it.";

/** Creates the key of a credential. */
export function createKey(credential: Credential, clock: Clock = monotonicClock): Key {
  const { value } = credential;
  if (typeof value !== "function") {
    const fixed = revealText(value);
    return { current: () => fixed, ask: async () => fixed, reject: () => false };
  }
  let current: string | undefined;
  let isFirst = true;
  let renewedAt = -Infinity;
  let asking: { readonly key: Promise<string>; waiting: number } | undefined;

  async function callFunction(): Promise<string> {
    let returned: unknown;
    try {
      returned = await within(LONGEST_CALL, value as () => unknown, HANGS);
    } catch (thrown) {
      throw new AttemptFailed({
        kind: "key",
        happened: `the function ${credential.option} threw.`,
        // A string may be a key.
        thrown: isError(thrown) ? thrown : new TypeError(`It threw ${describeValue(thrown)}.`),
      });
    }
    return checked(credential, () => checkReturnedKey(returned));
  }

  return {
    current: () => current,
    async ask(signal) {
      const own = (asking ??= { key: callFunction(), waiting: 0 });
      own.waiting++;
      try {
        const key = await untilAborted(own.key, signal);
        if (asking === own) {
          current = key;
          if (!isFirst) renewedAt = clock.now();
          isFirst = false;
          asking = undefined;
        }
        return key;
      } finally {
        // A function that never settles must not block later calls, once nobody waits for it any more.
        if (--own.waiting === 0) asking = undefined;
      }
    },
    reject(rejected) {
      // Another call may have received a new key in the meantime.
      if (current !== rejected) return true;
      if (clock.now() - renewedAt < ASK_AGAIN_AFTER) return false;
      current = undefined;
      return true;
    },
  };
}

/** Converts the TypeError of a check to an AttemptFailed. */
export function checked<T>({ option }: Credential, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new AttemptFailed({
      kind: "key",
      happened: `the function ${option} ${(error as TypeError).message}`,
    });
  }
}
