import type { Settings } from "../options/settings.ts";
import type { Credential } from "../options/credential.ts";
import type { BoundRow, WireRequest } from "../request/request.ts";
import type { Key } from "./key.ts";
import type { Budget } from "../limit/permits.ts";
import type { Priority } from "../limit/queue.ts";
import type { Pause } from "../limit/pause.ts";
import type { RetryBudget } from "./retry-budget.ts";
import type { Service } from "../options/service.ts";

/** Everything that is needed to send a call. */
export interface PreparedCall {
  /** Identifies the call in hooks and logs. */
  readonly id: string;
  readonly bound: BoundRow;
  readonly request: WireRequest;
  readonly headers: Headers;
  readonly credential: Credential | undefined;
  readonly key: Key | undefined;
  /** Every key that the call has sent. A function may return a new key between two attempts. */
  readonly keys: Set<string>;
  readonly settings: Settings;
  readonly base: URL;
  readonly budget: RetryBudget;
  readonly pause: Pause;
  readonly turns: Budget;
  readonly priority: Priority;
  readonly service: Service;
  /** The caller says that the deployment carries out one request for each idempotency key. */
  readonly trustIdempotencyKeys: boolean;
  readonly signal: AbortSignal | undefined;
}
