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
