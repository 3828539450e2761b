import type { Fault } from "@fieldmesh/sandbox/engine";
import type { JobFaultKind } from "./job-plan.ts";

/** What a fault does to a call, in the log of a run. */
export const LOG: Readonly<Record<JobFaultKind, string>> = {
  "response lost": "is carried out, and the response is lost",
  reset: "the connection breaks before it",
  "cut off": "is carried out, and the response breaks off",
  "500": "500, and nothing is done",
  "500 after the work": "is carried out, and responds 500",
  "429": "429, with a wait of 1 s",
  "killed before": "the process is killed before it",
  "killed after": "the process is killed after it",
  "killed during": "the process is killed during it, and it is carried out later",
  "stopped during": "the job is stopped during it, and it is carried out later",
};

/** How long the console works on a request whose caller has left. The next run looks sooner, unless it waits. */
const AT_WORK = 50;

/** What a fault does to a request, in the words of the sandbox. A kill before or after it only ends the process. */
export const FAULTS: Readonly<
  Record<Exclude<JobFaultKind, "killed before" | "killed after">, Fault>
> = {
  "response lost": { kind: "lost" },
  reset: { kind: "reset" },
  "cut off": { kind: "truncate" },
  "500": { kind: "status", status: 500, body: "" },
  "500 after the work": { kind: "status", status: 500, body: "", afterWork: true },
  "429": { kind: "status", status: 429, body: "", retryAfter: 1 },
  "killed during": { kind: "delay", ms: AT_WORK, virtual: true },
  "stopped during": { kind: "delay", ms: AT_WORK, virtual: true },
};
