// What the main program and the workers read from the environment.
import {
  createConsoleClient,
  rateLimits,
  type ConsoleClient,
  type JobKey,
} from "@fieldmesh/console-client";
import type { Engine } from "./engine.ts";
import { openEngine } from "./open-engine.ts";

/** The variables that all processes need. */
export const VARIABLES = `  CONSOLE_URL  the base URL of the console
  CONSOLE_KEY  its API key
  QUEUE_URL    redis://… for BullMQ, postgres://… for pg-boss
  JOB_KEY      encrypts the jobs: openssl rand -hex 32`;

/** Milliseconds until a worker that was killed or stopped counts as dead. */
const LEASE = 30_000;
const KEY_BYTES = 32;

/** What the programs work with. */
export interface Settings {
  readonly client: ConsoleClient;
  readonly engine: Engine;
  readonly key: JobKey;
  /** In milliseconds. */
  readonly lease: number;
}

/** Reads the settings, and connects to the queue. Throws an error that names what is missing. */
export async function openSettings(): Promise<Settings> {
  const { CONSOLE_URL: baseUrl, CONSOLE_KEY: apiKey, QUEUE_URL: url, JOB_KEY } = process.env;
  if (!baseUrl || !apiKey || !url || !JOB_KEY)
    throw new Error(`Set these variables:\n${VARIABLES}`);
  const bytes = Buffer.from(JOB_KEY, "hex");
  if (bytes.length !== KEY_BYTES)
    throw new Error("JOB_KEY must have 64 hexadecimal digits. Create one: openssl rand -hex 32");
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  const lease = Number(process.env["LEASE_MS"] ?? LEASE);
  const requests = Number(process.env["CONSOLE_LIMIT"] ?? rateLimits.hostedConsole.requests);
  const engine = await openEngine(url, lease);
  const rateLimit = { requests, shared: engine.sharedLimit };
  return { client: createConsoleClient({ baseUrl, apiKey, rateLimit }), engine, key, lease };
}
