/** One page of each kind, to be looked at closely. */
export const KINDS: readonly string[] = [
  "/",
  "/guides/getting-started.html",
  "/guides/receiving-webhooks.html",
  "/guides/glossary.html",
  "/project/comparison.html",
  "/errors/ApiError.html",
  "/reference/console.html",
  "/reference/console/devices.html",
  "/reference/console/records.html",
  "/events.html",
  "/events/sim.activated.html",
  "/api/@fieldmesh/webhook-types/router/index.html",
  "/api/@fieldmesh/webhook-types/router/functions/createEventRouter.html",
  "/decisions/01-endpoints-are-rows.html",
  "/changelog.html",
  "/packages.html",
];

/** A few of them, for a look that takes seconds instead of minutes. The test of the types of a sample looks at a guide. */
export const FEW_KINDS: readonly string[] = ["/", "/events/sim.activated.html"];
