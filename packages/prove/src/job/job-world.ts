import type { Clock } from "@fieldmesh/core";
import type { Sandbox } from "@fieldmesh/sandbox/engine";

/** What a run of a job works with: everything here fails, and ends with its process, as the plan says. */
export interface JobWorld {
  /** The address of the console. Pass it to `createConsoleClient`, with `apiKey` and `fetch`. */
  readonly baseUrl: string;
  /** The key of the console. */
  readonly apiKey: string;
  /** The address and the key of the mobile service. */
  readonly mobile: { readonly baseUrl: string; readonly apiKey: string };
  /** Sends a request to a service. */
  readonly fetch: Sandbox["console"]["fetch"];
  /** A clock that moves only while the job waits for it. The clients wait in real time: set a short `retry.baseDelay`. */
  readonly clock: Clock;
  /** Aborts when the job is stopped, as by SIGTERM. A run that has not done everything must then reject. */
  readonly signal: AbortSignal;
  /** Writes a line. No secret may be in it. */
  log(line: string): void;
  /** A file for one JSON value, which outlives the process. */
  readonly checkpoint: JobCheckpoint;
  /** Returns what outlives a kill, such as a database of your own: `make` is called once, and later runs get the same value. */
  survives<T>(name: string, make: () => T): T;
}

/** Where a job keeps its place. */
export interface JobCheckpoint {
  /** Returns what was saved last. `undefined` if nothing was. */
  load(): Promise<unknown>;
  /** Replaces the value. It is not done at once: a save that was not awaited is lost by a kill. */
  save(value: unknown): Promise<void>;
}
