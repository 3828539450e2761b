import type { Clock } from "@fieldmesh/core";
import { createVirtualClock } from "./virtual-clock.ts";
import { textResponse } from "./responses.ts";
import type { Layer } from "./call.ts";
import { type ServedConsole, serveConsole } from "./console/console.ts";
import { compileFaults, type FaultScript } from "./faults/fault-script.ts";
import { playFaults } from "./faults/play-faults.ts";
import { addLatency } from "./latency.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";
import { createWebhooks, type StoppableWebhooks } from "./webhooks/create-webhooks.ts";
import { serveWebhooks } from "./webhooks/serve-webhooks.ts";
import { type ServedLedger, serveLedger } from "./ledger/ledger.ts";
import { type ServedMapper, serveMapper } from "./mapper/mapper.ts";
import { type ServedMobile, serveMobile } from "./mobile/mobile.ts";
import type { SandboxOptions } from "./sandbox-options.ts";
import type { Handler } from "./serve.ts";

/** All services behind one handler, wherever that is reached. */
export interface Services<C extends Clock> {
  /** As it is since the last reset. */
  readonly console: ServedConsole;
  /** As it is since the last reset. */
  readonly ledger: ServedLedger;
  /** As it is since the last reset. */
  readonly mapper: ServedMapper;
  /** As it is since the last reset. */
  readonly mobile: ServedMobile;
  /** As they are since the last reset. */
  readonly webhooks: StoppableWebhooks;
  readonly clock: C;
  readonly log: RequestLog;
  readonly handler: Handler;
  readonly setFaults: (script: FaultScript | undefined) => void;
  /** Ends what is being delivered, and what waits to be. */
  readonly stop: () => void;
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
  const began = clock.now();
  let webhooks = createWebhooks({ clock, seed });
  const start = () => ({
    console: serveConsole(options.console ?? {}, { clock, seed, around: around("console") }),
    ledger: serveLedger(options.ledger ?? {}, { clock, began, seed, around: around("ledger") }),
    mapper: serveMapper(options.mapper ?? {}, { clock, around: around("mapper") }),
    mobile: serveMobile(options.mobile ?? {}, {
      clock,
      seed,
      around: around("mobile"),
      webhooks: () => webhooks,
    }),
    webhooks: serveWebhooks(() => webhooks),
  });
  let chooseFault = compileFaults(options.faults, seed);
  let served = start();
  const stop = () => {
    webhooks.stop();
    served.console.stop();
  };

  return {
    get console() {
      return served.console;
    },
    get ledger() {
      return served.ledger;
    },
    get mobile() {
      return served.mobile;
    },
    get mapper() {
      return served.mapper;
    },
    get webhooks() {
      return webhooks;
    },
    clock,
    log,
    handler: async (request, connection) => {
      const { pathname } = new URL(request.url);
      const service = Object.values(served).find(({ prefix }) => pathname.startsWith(`${prefix}/`));
      return service === undefined
        ? textResponse("Not Found", { status: 404 })
        : service.handler(request, connection);
    },
    setFaults: (script) => {
      chooseFault = compileFaults(script, seed);
    },
    stop,
    reset: () => {
      chooseFault = compileFaults(options.faults, seed);
      stop();
      webhooks = createWebhooks({ clock, seed });
      served = start();
      log.clear();
    },
  };
}
