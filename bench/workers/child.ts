// A worker of an import, in a process of its own, to be killed and stopped.
import { createConsoleClient, openJob, reportOfJob } from "@fieldmesh/console-client";
import { openEngine } from "@fieldmesh/examples/workers/engine.ts";
import { READY, readTask } from "../support/child.ts";

/** What a worker works with. */
export interface WorkerTask {
  readonly queueUrl: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly lease: number;
  readonly timeout: number;
  readonly settleTime: number;
  /** Devices in a request, and requests at once. */
  readonly chunkSize: number;
  readonly concurrency: number;
  /** Milliseconds that the console works on a request, added here so that no process has to wait for it. */
  readonly latency: number;
  /** All workers together send this many requests a minute. */
  readonly limit?: number;
}

/** The time when the lease of a request was checked. */
export const CHECKED_AT = "x-checked-at";

/** All jobs of a benchmark have one key, as in a real import. */
export async function importKey() {
  const bytes = new Uint8Array(32).fill(7);
  return await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

if (process.argv[1] === import.meta.filename) await work(readTask() as WorkerTask);

async function work(task: WorkerTask): Promise<void> {
  const { queueUrl, baseUrl, apiKey, limit, latency, lease, ...times } = task;
  const engine = await openEngine(queueUrl, lease);
  const key = await importKey();
  const client = createConsoleClient({
    baseUrl,
    apiKey,
    retry: { baseDelay: 5 },
    ...(limit !== undefined && { rateLimit: { requests: limit, shared: engine.sharedLimit } }),
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      headers.set(CHECKED_AT, `${Date.now()}`);
      const response = await fetch(url, { ...init, headers } as RequestInit);
      if (init.method === "POST" && latency > 0)
        await new Promise((resolve) => setTimeout(resolve, latency));
      return response;
    },
  });
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  process.send?.(READY);
  await engine.work(async (job) => {
    const report = await client.devices.createMany(await openJob(job, key), {
      ...times,
      lease: { id: job.id, store: engine.leases, duration: lease },
      signal: stop.signal,
    });
    return { ...reportOfJob(job, report), problems: [] };
  }, stop.signal);
  await engine.close();
  process.exit();
}
