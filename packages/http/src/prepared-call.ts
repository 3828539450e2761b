import type { Settings } from "./client-options.ts";
import type { Credential } from "./credential.ts";
import type { BoundRow, WireRequest } from "./request.ts";
import type { RetryBudget } from "./retry-budget.ts";
import type { Service } from "./service.ts";

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
