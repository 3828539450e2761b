import { revealText } from "@fieldmesh/core";
import { checkReturnedKey, type Credential } from "../options/credential.ts";
import { AttemptFailed } from "./failure.ts";
import { untilAborted } from "../wire/until-aborted.ts";

/** The API key of a client. If a function returns it, it is kept until a response rejects it. */
export interface Key {
  /** Returns the key, or `undefined` if the function must be called first. */
  current(): string | undefined;
  /** Calls the function. Simultaneous calls share one result. Throws an AttemptFailed, or the reason of the signal. */
  ask(signal: AbortSignal): Promise<string>;
  /** Forgets a rejected key, so that the function is called again. Returns false for a fixed key. */
  forget(rejected: string): boolean;
}

/** Creates the key of a credential. */
export function createKey({ value }: Credential): Key {
  if (typeof value !== "function") {
    const fixed = revealText(value);
    return { current: () => fixed, ask: async () => fixed, forget: () => false };
  }
  let current: string | undefined;
  let asking: Promise<string> | undefined;

  async function ask(): Promise<string> {
    let returned: unknown;
    try {
      returned = await (value as () => unknown)();
    } catch (thrown) {
      throw new AttemptFailed({ kind: "key", happened: "threw.", thrown });
    }
    return checked(() => checkReturnedKey(returned));
  }

  return {
    current: () => current,
    async ask(signal) {
      const own = (asking ??= ask());
      try {
        const key = await untilAborted(own, signal);
        if (asking === own) current = key;
        return key;
      } finally {
        // Runs after an abort too, so that a function that never settles does not block later calls.
        if (asking === own) asking = undefined;
      }
    },
    forget(rejected) {
      // Another call may have received a new key in the meantime.
      if (current === rejected) current = undefined;
      return true;
    },
  };
}

/** Converts the TypeError of a check to an AttemptFailed. */
export function checked<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new AttemptFailed({ kind: "key", happened: (error as TypeError).message });
  }
}
