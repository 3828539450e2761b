import { createConsoleClient, type RateLimitOption } from "@fieldmesh/console-client";
import { limit, note, table } from "../support/report.ts";

/** Measures the CPU time of the rate limiter: calls with immediate responses, with and without it. */
export async function measureCost(): Promise<void> {
  const CALLS = 200;
  const ROUNDS = 100;
  const options: Record<string, RateLimitOption> = { off: false, learned: undefined, given: 1e9 };
  const times: Record<string, number[]> = {};
  const fetch = async (): Promise<Response> => new Response("[]");
  const clients = Object.entries(options).map(([name, rateLimit]) => ({
    name,
    client: createConsoleClient({
      baseUrl: "https://console.test",
      apiKey: "one-of-my-keys",
      fetch,
      rateLimit,
    }),
  }));
  // Short rounds in turns: a busy moment of the machine then affects all cases alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, client } of clients) {
      const start = process.cpuUsage();
      for (let each = 0; each < CALLS; each++) await client.labels.list();
      const { user, system } = process.cpuUsage(start);
      (times[name] ??= []).push((user + system) / CALLS);
    }
  }
  const least = (name: string): number => Math.min(...(times[name] ?? []));
  note(`CPU time of one call, the least of ${ROUNDS} rounds of ${CALLS}.`);
  table(Object.keys(options).map((name) => ({ "rate limit": name, µs: least(name) })));
  const added = Math.max(least("learned"), least("given")) - least("off");
  limit("µs that the rate limiter adds to a call", added, { most: 5 });
}
