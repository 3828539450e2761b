// What retries cost in an outage, and what they save at ten percent of failures: npm run bench:outage
import { createConsoleClient, type ClientOptions } from "@fieldmesh/console-client";

const CALLS = 1_000;
const FAILURE_RATE = 0.1;
const RUNS = 20;

console.log(`${CALLS} GET calls each, ${RUNS} runs\n`);

const outage = await Promise.all(Array.from({ length: RUNS }, () => measure(1)));
const perCall = outage.map(({ requests }) => requests / CALLS);
console.log(`outage, every request answered 503: ${span(perCall, 3)} requests a call (limit 1.1)`);

const failing = await Promise.all(Array.from({ length: RUNS }, () => measure(FAILURE_RATE)));
const shares = failing.map((run) => (100 * run.succeeded) / CALLS);
console.log(
  `every tenth request answered 503: ${span(shares, 1)} % of the calls succeed (limit 99.7)`,
);

async function measure(failureRate: number): Promise<{ requests: number; succeeded: number }> {
  let requests = 0;
  let succeeded = 0;
  const fetch: ClientOptions["fetch"] = async () => {
    requests++;
    return Math.random() < failureRate ? new Response("", { status: 503 }) : Response.json([]);
  };
  const client = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: "any",
    fetch,
    retry: { baseDelay: 0 },
  });
  for (let call = 0; call < CALLS; call++) {
    if (
      await client.labels.list().then(
        () => true,
        () => false,
      )
    )
      succeeded++;
  }
  return { requests, succeeded };
}

function span(values: readonly number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  const [least, middle, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `${middle?.toFixed(digits)} (${least?.toFixed(digits)} to ${most?.toFixed(digits)})`;
}
