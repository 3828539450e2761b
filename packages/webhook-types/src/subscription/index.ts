export { validateEnabledEvents, type EnabledEventProblem } from "./validate-enabled-events.js";
export { checkCatalog, type CatalogCheck } from "./check-catalog.js";
export {
  lintSubscription,
  type SubscriptionFinding,
  type SubscriptionRule,
} from "./lint-subscription.js";
