/** What readers type, by the page that must be the first or the second result. */
const QUERIES: Readonly<Record<string, string>> = {
  "guides/getting-started.html": "install, installation, setup, quick start",
  "guides/clients.html":
    "api key, bearer token, 401, logging, logger, timeout, cancel a request, abort, proxy",
  "guides/errors-and-retries.html": "retries, exponential backoff, ECONNRESET",
  "guides/rate-limits.html": "429, rate limit exceeded, throttling",
  "guides/paging.html": "pagination, cursor, checkpoint, checkpoint option",
  "guides/validation.html": "bigint, number precision",
  "guides/move-a-fleet.html": "import csv",
  "guides/leave-for-chirpstack-or-the-things-stack.html": "chirpstack, TTN",
  "guides/bulk-create.html":
    "create devices, createMany, bulk import, kill import, resume an import after a crash",
  "guides/export-rewards.html": "parquet",
  "guides/mapping.html": "coverage map",
  "reference/console/integrations.html": "mqtt",
  "guides/receiving-webhooks.html":
    "receive webhook, receiving webhooks, recieve webhook, createReceiver, createReceiver options, received twice, webhook signature, expectLivemode",
  "guides/webhooks.html":
    "dedupe, webhook retries schedule, verify signature, replay attack, previous_attributes",
  "guides/handle-events.html": "DLQ, dead letter, poison message",
  "errors/signature_mismatch.html": "signature mismatch",
  "guides/frameworks.html": "express, nestjs, nextjs webhook, cloudflare workers",
  "guides/try-webhooks-locally.html": "ngrok, localhost webhook",
  "guides/databases.html": "pgbouncer, connection pool",
  "guides/keep-a-table-up-to-date.html": "prisma, upsert",
  "guides/catch-up.html": "missed events, backfill",
  "guides/webhooks-through-a-queue.html": "bullmq webhooks",
  "guides/testing.html": "mock server, unit tests",
  "guides/observability.html": "opentelemetry, tracing",
  "guides/production.html": "kubernetes",
  "guides/security.html": "redact secrets",
  "guides/keep-a-mirror.html": "GDPR",
  "reference/": "curl, keepTrying, maxResponseBytes, totalTimeout, maxConcurrent",
  "reference/console/methods.html": "settleTime, chunkSize, onGap, ifExists",
  "reference/console/labels.html": "labels",
  "reference/console/devices.html": "devices.createBatch",
  "events/sim.activated.html": "sim.activated",
  "events/invoice.paid.html": "invoice.paid",
  "events/subscriber.created.html": "subscriber created event",
  "events.html": "sim events",
  "api/": "parseEvent",
  "project/evaluate.html":
    "license, licence, MIT, maintainer, who maintains this, breaking changes, size of bundle, dependencies, release schedule, CommonJS, cjs, ESM, Deno, Bun, semver, old majors, npm, published, beta, production ready, contact, sponsor, CVE, supply chain",
  "project/how-it-is-tested.html": "how it is tested",
  "project/supported-versions.html":
    "typescript version, supported node versions, LTS, end of life, windows",
};

export const queries: readonly (readonly [query: string, page: string])[] = Object.entries(
  QUERIES,
).flatMap(([page, list]) => list.split(", ").map((query) => [query, page] as const));
