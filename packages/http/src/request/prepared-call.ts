import type { Settings } from "../options/settings.ts";
import type { Credential } from "../options/credential.ts";
import type { BoundRow, WireRequest } from "./request.ts";
import type { Key } from "../send/key.ts";
import type { Budget } from "../limit/budget.ts";
import type { Priority } from "../limit/line.ts";
import type { Pause } from "../send/pause.ts";
import type { RetryBudget } from "../send/retry-budget.ts";
import type { Service } from "../options/service.ts";

/** Everything that a call needs to be sent. */
export interface PreparedCall {
  /** Names the call in hooks and logs. */
  readonly id: string;
  readonly bound: BoundRow;
  readonly request: WireRequest;
  readonly headers: Headers;
  readonly credential: Credential | undefined;
  readonly key: Key | undefined;
  /** Every key that the call has sent: a function may return another one in the meantime. */
  readonly keys: Set<string>;
  readonly settings: Settings;
  readonly base: URL;
  readonly budget: RetryBudget;
  readonly pause: Pause;
  readonly turns: Budget;
  readonly priority: Priority;
  readonly service: Service;
  /** The deployment carries out a request once for each idempotency key, says the caller. */
  readonly trustIdempotencyKeys: boolean;
  readonly signal: AbortSignal | undefined;
}
