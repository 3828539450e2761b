export { createMobileClient, type MobileClient, type MobileClientOptions } from "./client.ts";
export { modeOf, type Mode } from "./key-mode.ts";
export { rateLimitOf, type RateLimit } from "./rate-limit.ts";
export { catchUp } from "./catch-up/catch-up.ts";
export type { CatchUpOptions } from "./catch-up/catch-up-options.ts";
export type { CatchUpReport, CatchUpTotals } from "./catch-up/totals.ts";
export type { WholeList } from "./catch-up/read-events.ts";
export type { CatchUpCheckpoint, OpenEvent } from "./catch-up/checkpoint.ts";
export type { DeliveryOnly } from "./catch-up/waiting.ts";
export type { CreatedSubscriber, NewSubscriber, Subscriber, Subscribers } from "./subscribers.ts";
export type { NewSubscription, Renewal, Subscription, Subscriptions } from "./subscriptions.ts";
export type { BalanceCredit, BalanceCredits, NewBalanceCredit } from "./balance-credits.ts";
export type { FraudDecision, FraudDecisions, FraudRequest } from "./fraud-decisions.ts";
export type { EventTypeEntry, EventTypes } from "./event-types.ts";
export type { Events, StoredEvent } from "./events.ts";

// Listed by hand nevertheless: the file behind this star names each export that the clients share.
export * from "@fieldmesh/http";
