import { type Clock, createVirtualClock } from "@fieldmesh/core";
import { textAnswer } from "./answers.js";
import type { Layer } from "./call.js";
import { type ServedConsole, serveConsole } from "./console/console.js";
import { compileFaults, type FaultScript } from "./faults/fault-script.js";
import { playFaults } from "./faults/play-faults.js";
import { addLatency } from "./latency.js";
import { createRequestLog, type RequestLog } from "./request-log.js";
import type { SandboxOptions } from "./sandbox.js";
import type { Handler } from "./serve.js";

/** All services behind one handler, wherever that is reached. */
export interface Services<C extends Clock> {
  /** As it is since the last reset. */
  readonly console: ServedConsole;
  readonly clock: C;
  readonly log: RequestLog;
  readonly handler: Handler;
  readonly setFaults: (script: FaultScript | undefined) => void;
  readonly reset: () => void;
}

const DEFAULT_SEED = 1;
const DEFAULT_START = "2026-11-20T08:00:00Z";
const DEFAULT_LOG_SIZE = 10_000;

/** Puts the services together, with the layers that all of them share. */
export function createServices<C extends Clock>(options: SandboxOptions<C>): Services<C> {
  const { seed = DEFAULT_SEED, latency = 0, logSize = DEFAULT_LOG_SIZE } = options;
  // Without a clock of the caller's, C is the type of the virtual one.
  const clock = options.clock ?? (createVirtualClock(DEFAULT_START) as Clock as C);
  const log = createRequestLog(clock, logSize);

  const around = (service: string): Layer[] => [
    log.layer(service),
    ...(latency > 0 ? [addLatency(latency)] : []),
    playFaults(service, (target) => chooseFault(target), clock),
  ];
  const start = () =>
    serveConsole(options.console ?? {}, { clock, seed, around: around("console") });
  let chooseFault = compileFaults(options.faults, seed);
  let console = start();

  return {
    get console() {
      return console;
    },
    clock,
    log,
    handler: async (request, connection) =>
      new URL(request.url).pathname.startsWith(`${console.prefix}/`)
        ? console.handler(request, connection)
        : textAnswer("Not Found", { status: 404 }),
    setFaults: (script) => {
      chooseFault = compileFaults(script, seed);
    },
    reset: () => {
      chooseFault = compileFaults(options.faults, seed);
      console = start();
      log.clear();
    },
  };
}
