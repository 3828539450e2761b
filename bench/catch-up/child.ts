// Catches up on the stored events of a sandbox with an inbox. catch-up.long.test.ts starts and kills it.
import { catchUp, createMobileClient } from "@fieldmesh/mobile-client";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { postgresInbox } from "@fieldmesh/webhook-types/stores";
import pg from "pg";
import { readTask } from "../support/child.ts";

const { baseUrl, apiKey, postgresUrl } = readTask() as Record<
  "baseUrl" | "apiKey" | "postgresUrl",
  string
>;

/** Repeats the first events of each page at its end, as in a list that grows while it is read. */
async function withRepetitions(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const page = (await response.json()) as { data?: unknown[] };
  const { data = [] } = page;
  return Response.json(
    { ...page, data: [...data, ...data.slice(0, 10)] },
    { status: response.status },
  );
}

const pool = new pg.Pool({ connectionString: postgresUrl });
pool.on("error", () => {});
const inbox = postgresInbox(pool);
let handled = 0;
const totals = await catchUp({
  client: createMobileClient({ baseUrl, apiKey, fetch: withRepetitions }),
  since: new Date(0),
  store: inbox,
  concurrency: 8,
  router: createEventRouter({
    "plan.created": (event, context) =>
      inbox.transaction(context).query("INSERT INTO effects VALUES ($1)", [event.id]),
  }),
  onOutcome: ({ outcome }) => {
    if (outcome === "handled") process.send?.(++handled);
  },
});
process.send?.(totals);
await pool.end();
process.disconnect();
