import type { Settings } from "./client-options.js";
import type { Credential } from "./credential.js";
import type { BoundRow, WireRequest } from "./request.js";
import type { RetryBudget } from "./retry-budget.js";
import type { Service } from "./service.js";

/** Everything that a call needs to be sent. */
export interface PreparedCall {
  readonly bound: BoundRow;
  readonly request: WireRequest;
  readonly headers: Headers;
  readonly credential: Credential | undefined;
  readonly settings: Settings;
  readonly base: URL;
  readonly budget: RetryBudget;
  readonly service: Service;
  readonly signal: AbortSignal | undefined;
}
