import { isSecret, revealText } from "@fieldmesh/core";
import type { Settings } from "../options/settings.ts";
import type { Credential } from "../options/credential.ts";
import type { Service } from "../options/service.ts";
import { createKey, type Key } from "./key.ts";
import { createPause, type Pause } from "./pause.ts";
import { createRetryBudget, type RetryBudget } from "./retry-budget.ts";

/** What clients of one server and credential share: a limit counts what all of them send. */
export interface Shared {
  readonly server: string;
  readonly credential: Credential | undefined;
  readonly key: Key | undefined;
  readonly budget: RetryBudget;
  readonly pause: Pause;
  readonly pauseOfWrites: Pause;
}

/** Returns what the client shares with the one that it was made of, or its own where server or credential differ. */
export function shareWith(
  other: Shared | undefined,
  own: Pick<Shared, "server" | "credential"> & { settings: Settings; service: Service },
): Shared {
  const { server, credential, settings, service } = own;
  if (other?.server === server && isSame(other.credential, credential)) return other;
  const pause = createPause(settings);
  return {
    server,
    credential,
    key: credential && createKey(credential),
    budget: createRetryBudget(),
    pause,
    pauseOfWrites: service.countsWritesApart === true ? createPause(settings) : pause,
  };
}

function isSame(one: Credential | undefined, other: Credential | undefined): boolean {
  return keyOf(one) === keyOf(other);
}

/** A function is the same credential as long as it is the same function. */
function keyOf(credential: Credential | undefined): unknown {
  const value = credential?.value;
  return isSecret(value) ? revealText(value) : value;
}
