// Measures what retries cost in an outage, and what they save when every tenth request fails: npm run bench -- outage
import { createConsoleClient, type ClientOptions } from "@fieldmesh/console-client";
import { median } from "./support/measure.ts";
import { finish, limit, note, table } from "./support/report.ts";

const CALLS = 1_000;
const RUNS = 20;

const [outage, failing] = [await measureRuns(1), await measureRuns(0.1)];
note(`${RUNS} runs of ${CALLS} GET calls.`);
table([
  { "responses with 503": "all", ...outage },
  { "responses with 503": "every tenth", ...failing },
]);
limit("requests per call in an outage", outage["requests per call"], { most: 1.1 });
limit("% of calls that succeed while every tenth request fails", failing["% succeeded"], {
  least: 99.7,
});
finish();

/** Returns the medians of all runs. */
async function measureRuns(failureRate: number) {
  const runs = await Promise.all(Array.from({ length: RUNS }, () => runCalls(failureRate)));
  return {
    "requests per call": median(runs.map(({ requests }) => requests / CALLS)),
    "% succeeded": median(runs.map(({ succeeded }) => (100 * succeeded) / CALLS)),
  };
}

async function runCalls(failureRate: number): Promise<{ requests: number; succeeded: number }> {
  let requests = 0;
  let succeeded = 0;
  const fetch: ClientOptions["fetch"] = async () => {
    requests++;
    return Math.random() < failureRate ? new Response("", { status: 503 }) : Response.json([]);
  };
  const baseUrl = "https://console.test";
  const client = createConsoleClient({ baseUrl, apiKey: "any", fetch, retry: { baseDelay: 0 } });
  for (let call = 0; call < CALLS; call++) {
    const [result] = await Promise.allSettled([client.labels.list()]);
    if (result.status === "fulfilled") succeeded++;
  }
  return { requests, succeeded };
}
