/** What an entry of a package is for. The entry of the package itself has the description of its manifest. */
export const ENTRY_TEXTS: Readonly<Record<string, string>> = {
  adapters: "A receiver as a handler of Node, Express, Fastify, Nest and others.",
  endpoints: "Route, input, output and errors of each endpoint, as data.",
  engine: "The services as functions from Request to Response, for browsers, workers and Node.",
  explain: "Finds out why a delivery is not verified.",
  msw: "The services as handlers of Mock Service Worker.",
  parse: "Turns a verified body into a typed event.",
  queue: "Stores verified deliveries in a queue, and handles them in its workers.",
  receiver: "Verifies a delivery, handles it once, and responds after the work is done.",
  router: "Calls the handler of an event's type.",
  samples: "An example of each endpoint, or a sample event of each type, for tests.",
  "store-tests": "Tests that a store of your own must pass.",
  stores: "Idempotency stores and inboxes in Redis, SQLite and Postgres.",
  subscription: "Checks the event types that a webhook endpoint is subscribed to.",
  undici: "A fetch for Node that passes requests directly to undici, which saves CPU time.",
  uplink: "Builds uplinks for the map from those of the console and of network servers.",
};

/** The packages in the order in which a reader needs them. */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  Clients: ["console-client", "ledger-client", "mapper-client", "mobile-client", "rate-limit"],
  Webhooks: ["webhook-types", "mirror"],
  "Tests, spans and metrics": ["sandbox", "prove", "opentelemetry"],
  "What they share": ["http", "core"],
};

/** Returns entries such as `@fieldmesh/webhook-types/parse` in this order. */
export function inOrder<T>(entries: readonly T[], nameOf: (entry: T) => string): T[] {
  const packages = Object.values(PARTS).flat();
  const placeOf = (entry: T): number => packages.indexOf(nameOf(entry).split("/")[1] ?? "");
  return entries.toSorted((one, other) => placeOf(one) - placeOf(other));
}
