export { validateEnabledEvents, type EnabledEventProblem } from "./validate-enabled-events.ts";
export { checkCatalog, type CatalogCheck } from "./check-catalog.ts";
export {
  lintSubscription,
  type SubscriptionFinding,
  type SubscriptionRule,
} from "./lint-subscription.ts";
