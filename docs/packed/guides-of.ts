/**
 * The guides that each package carries, in the order in which a reader needs them. All of them together have at most
 * {@link MOST_BYTES}, so a package has what its own users ask first, and links to the rest.
 */
export const GUIDES_OF: Readonly<Record<string, readonly string[]>> = {
  "console-client": ["clients", "bulk-create", "errors-and-retries", "device-events"],
  "ledger-client": ["paging", "clients", "errors-and-retries", "rate-limits"],
  "mapper-client": ["mapping", "clients", "errors-and-retries", "rate-limits"],
  "mobile-client": ["catch-up", "clients", "errors-and-retries", "rate-limits"],
  "rate-limit": ["rate-limits", "many-workers"],
  "webhook-types": ["receiving-webhooks", "frameworks", "keep-a-table-up-to-date"],
  mirror: ["keep-a-mirror", "keep-a-table-up-to-date", "databases"],
  sandbox: ["testing", "try-webhooks-locally", "sandbox"],
  prove: ["prove", "testing"],
  opentelemetry: ["observability"],
  http: ["clients", "errors-and-retries", "rate-limits", "validation"],
  core: ["validation"],
  cli: [
    "move-a-fleet",
    "export-rewards",
    "try-webhooks-locally",
    "leave-for-chirpstack-or-the-things-stack",
  ],
};

/** What `docs` and `llms.txt` may add to a package. */
export const MOST_BYTES = 60_000;
