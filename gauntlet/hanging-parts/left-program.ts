// Prints how a call ends that still waits for a part that hangs. Then, for each wait with a limit, the timers that keep this
// process alive while the part hangs and nobody waits any more.
import { createConsoleClient } from "@fieldmesh/console-client";
import { canaries } from "../../tools/canaries/canaries.ts";
import { waits } from "./index.ts";

const never = new Promise<never>(() => undefined);
const turns = () => new Promise((resolve) => setTimeout(resolve, 60));

/** Calls of a client end with their signal. */
const calls: Readonly<Record<string, object>> = {
  "the key function of a client": { apiKey: () => never },
  "`take` of a shared rate limit": {
    rateLimit: { requests: 5, shared: { take: () => never, block: () => never } },
  },
};

const list = (options: object, limits: object): Promise<unknown> =>
  createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: canaries.apiKey,
    fetch: () => never,
    ...options,
  })
    .labels.list(limits)
    .catch((error: Error) => error.name);

async function leaveCall(options: object): Promise<void> {
  const left = new AbortController();
  const ended = list(options, { signal: left.signal });
  await turns();
  left.abort();
  await ended;
}

// Before anything else keeps this process alive.
for (const [part, options] of Object.entries(calls))
  console.log(JSON.stringify([part, await list(options, { totalTimeout: 1_000 })]));

const countTimers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

for (const { part, limit, limitText = "", start } of waits) {
  const call = calls[part];
  // These calls have left none of their callers before `totalTimeout`.
  const isOwn = /`(timeout|totalTimeout)`/.test(limitText);
  if ((limit ?? 0) === 0 || (isOwn && call === undefined)) continue;
  const before = countTimers();
  if (call !== undefined) await leaveCall(call);
  else {
    const { prepare, use } = start(() => never);
    await prepare?.();
    void use().catch(() => undefined);
    await turns();
  }
  console.log(JSON.stringify([part, countTimers() - before]));
}
process.exit();
