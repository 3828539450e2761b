// Catches up over the stored events of a sandbox, with an inbox; started by catch-up.slow.test.ts, which kills it.
import { catchUp, createMobileClient } from "@fieldmesh/mobile-client";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { postgresInbox } from "@fieldmesh/webhook-types/stores";
import pg from "pg";

const { baseUrl, apiKey, postgresUrl } = JSON.parse(process.env["CATCH_UP"] ?? "{}") as Record<
  "baseUrl" | "apiKey" | "postgresUrl",
  string
>;
/** Says the first events of each page twice, as a list does that grows while it is read. */
async function withRepetitions(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...request);
  const page = (await answer.json()) as { data?: unknown[] };
  const { data = [] } = page;
  return Response.json(
    { ...page, data: [...data, ...data.slice(0, 10)] },
    { status: answer.status },
  );
}

const pool = new pg.Pool({ connectionString: postgresUrl });
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
