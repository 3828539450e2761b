import { setImmediate as turnOfTheLoop, setTimeout as realTime } from "node:timers/promises";
import { inspect } from "node:util";
import type { Clock } from "@fieldmesh/core";
import { isError } from "@fieldmesh/core/internal";
import { playFault } from "@fieldmesh/sandbox/internal/engine";
import type { Sandbox } from "@fieldmesh/sandbox/engine";
import { keepPrints } from "../prints.ts";
import { FAULTS, LOG } from "./job-faults.ts";
import { createLife } from "./job-life.ts";
import type { JobCall, JobFaultKind, JobPlan } from "./job-plan.ts";
import type { JobWorld } from "./job-world.ts";

/** A job: it is run again after each end, until it returns. */
export type Job<Report> = (world: JobWorld) => Report | Promise<Report>;

/** What there is when a job has returned. */
export interface JobEnd<Report = unknown> {
  /** The services with everything that the job has done. */
  readonly sandbox: Sandbox;
  /** What the last run returned. */
  readonly report: Report;
  /** The lines of all runs. */
  readonly log: readonly string[];
  /** What was saved last. */
  readonly checkpoint: unknown;
  /** How often the job was run. */
  readonly runs: number;
}

/** The end of a job, for the rules of `proveJob`. */
export interface JobRun<Report> {
  /** `undefined` if a run did not end, or if the job never returned. */
  readonly end: JobEnd<Report> | undefined;
  /** What has prevented an end. */
  readonly problem: string | undefined;
  /** The calls of all runs. */
  readonly calls: readonly JobCall[];
  /** Everything that the job has written, and where. */
  readonly written: readonly { readonly where: string; readonly text: string }[];
  /** What it has printed. */
  readonly printed: readonly string[];
}

/** A job that rejects so often never returns. */
const MOST_RUNS = 10;
/** A save that is not awaited is lost if a kill follows within so many turns. */
const TURNS_OF_A_SAVE = 20;

export async function runJob<Report>(
  job: Job<Report>,
  start: Sandbox,
  plan: JobPlan,
  print: (line: string) => void = () => {},
): Promise<JobRun<Report>> {
  const sandbox = start.fork();
  const values = new Map<string, unknown>();
  const calls: JobCall[] = [];
  /** What the console carries out although its caller has left. */
  const atWork: Promise<Response>[] = [];
  const written: { where: string; text: string }[] = [];
  const log: string[] = [];
  const printed: string[] = [];
  /** What is printed is written too. */
  const allWritten = () => [
    ...written,
    ...printed.map((text) => ({ where: "what it printed", text })),
  ];
  let saved: string | undefined;
  const place = (): unknown => (saved === undefined ? undefined : JSON.parse(saved));
  let problem: string | undefined;

  for (let number = 1; number <= MOST_RUNS; number++) {
    print(`run ${number}`);
    const life = createLife(sandbox);
    const stop = new AbortController();
    let isStoppable = false;
    const struck = (call: JobCall, label: string): JobFaultKind | undefined => {
      const at = calls.push(call) - 1;
      const kind = plan.faults.find((fault) => fault.at === at)?.kind;
      const isKill = kind === "killed before" || kind === "killed after";
      const isVain = kind === "stopped during" && !isStoppable;
      const fault = (call === "save" && !isKill) || isVain ? undefined : kind;
      print(`  ${label}${fault === undefined ? "" : `: ${LOG[fault]}`}`);
      return fault;
    };
    const world: JobWorld = {
      baseUrl: sandbox.console.baseUrl,
      apiKey: sandbox.apiKey,
      mobile: { baseUrl: sandbox.mobile.baseUrl, apiKey: sandbox.mobile.apiKey },
      clock: life.clock,
      fetch: (input, init) =>
        life.call(async () => {
          const request = new Request(input, init);
          const label = `${request.method} ${new URL(request.url).pathname}`;
          const fault = struck(request.method === "GET" ? "read" : "write", label);
          if (fault === "killed before") return life.kill();
          const send = (sent = request) => sandbox.console.fetch(sent);
          const play = (kind: keyof typeof FAULTS, clock: Clock, sent = request) =>
            playFault(FAULTS[kind], { connection: {}, broken: false }, () => send(sent), clock);
          if (fault === "killed during" || fault === "stopped during") {
            request.signal.throwIfAborted();
            const late = play(fault, eitherClock(sandbox), new Request(request, { signal: null }));
            atWork.push(late);
            if (fault === "killed during") return life.kill();
            stop.abort(new DOMException("The job was stopped, as by SIGTERM.", "AbortError"));
            return Promise.race([late, aborted(request.signal)]);
          }
          if (fault !== undefined && fault !== "killed after") return play(fault, life.clock);
          const response = await send();
          return fault === "killed after" ? life.kill() : response;
        }),
      get signal() {
        isStoppable = true;
        return stop.signal;
      },
      log: (line) => {
        if (life.isOver) return;
        log.push(line);
        written.push({ where: "a line of the log", text: line });
      },
      checkpoint: {
        load: () => life.call(async () => place()),
        save: (value) =>
          life.call(async () => {
            const text = JSON.stringify(value);
            const fault = struck("save", "save the checkpoint");
            if (fault === "killed before") return life.kill();
            for (let turn = 0; turn < TURNS_OF_A_SAVE; turn++) await turnOfTheLoop();
            if (life.isOver) return;
            saved = text;
            written.push({ where: "a checkpoint", text });
            if (fault === "killed after") return life.kill();
          }),
      },
      survives: <T>(name: string, make: () => T): T => {
        if (!values.has(name)) values.set(name, make());
        return values.get(name) as T;
      },
    };

    const result = await keepPrints(printed, () => life.live(async () => job(world)));
    if (result.is === "returned") {
      const { report } = result;
      await Promise.allSettled(atWork);
      written.push({ where: "the report", text: textOf(report) });
      const end = { sandbox, report, log, checkpoint: place(), runs: number };
      return { end, problem, calls, written: allWritten(), printed };
    }
    if (result.is === "hangs") {
      problem = `run ${number} makes no call, and does not end.`;
      break;
    }
    if (result.is === "rejected") {
      const { error } = result;
      written.push({ where: "an error", text: textOf(error) });
      print(`  the run rejects: ${isError(error) ? error.name : typeof error}`);
      problem = `run ${number} still rejects, although nothing goes wrong any more: ${String(error)}`;
    } else problem = `run ${number} was killed, and the job was not run again.`;
  }
  return { end: undefined, problem, calls, written: allWritten(), printed };
}

/**
 * A clock whose sleeps end by that of the sandbox or of the machine: some jobs wait by the one, and clients by the other. A global
 * timer would end with the process.
 */
function eitherClock({ clock }: Sandbox): Clock {
  const sleep = (ms: number) => Promise.race([clock.sleep(ms), realTime(ms)]);
  return { now: () => clock.now(), sleep };
}

function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}

/** Everything of a value that a log would show: as JSON, and as Node prints it. */
function textOf(value: unknown): string {
  const shown = inspect(value, { depth: 8, maxArrayLength: null });
  try {
    return `${shown}\n${JSON.stringify(value)}`;
  } catch {
    return shown;
  }
}
