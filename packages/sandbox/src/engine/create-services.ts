import {
  checkInteger,
  checkOptionNames,
  type Clock,
  describeValue,
  guardInput,
  hasMethod,
  isRecord,
} from "@fieldmesh/core";
import { createVirtualClock } from "./virtual-clock.ts";
import { textResponse } from "./responses.ts";
import type { Layer } from "./call.ts";
import { compileFaults, type FaultScript } from "./faults/fault-script.ts";
import { playFaults } from "./faults/play-faults.ts";
import { addLatency } from "./latency.ts";
import { createFeed, type Feed } from "./feed.ts";
import { keepResponses } from "./kept-responses.ts";
import { createRequestLog, type WritableLog } from "./request-log.ts";
import { createWebhooks, type StoppableWebhooks } from "./webhooks/create-webhooks.ts";
import { serveWebhooks } from "./webhooks/serve-webhooks.ts";
import type { SandboxOptions } from "./sandbox-options.ts";
import type { Handler } from "./serve.ts";
import { type Served, serveAll, type ServiceName, serviceOptions } from "./served.ts";

/** All services behind one handler, however it is served. */
export interface Services<C extends Clock> {
  /** The services since the last reset. */
  readonly served: Served;
  /** The webhooks since the last reset. */
  readonly webhooks: StoppableWebhooks;
  readonly clock: C;
  readonly log: WritableLog;
  readonly feed: Feed;
  readonly handler: Handler;
  readonly setFaults: (script: FaultScript | undefined) => void;
  /** Ends all deliveries, in progress or waiting. */
  readonly stop: () => void;
  readonly reset: () => void;
}

const DEFAULT_SEED = 1;
const DEFAULT_START = "2026-11-20T08:00:00Z";
const DEFAULT_LOG_SIZE = 10_000;

const OPTIONS: Readonly<Record<keyof SandboxOptions, true>> = {
  seed: true,
  clock: true,
  faults: true,
  latency: true,
  logSize: true,
  console: true,
  ledger: true,
  mapper: true,
  mobile: true,
};
const OPTION_NAMES = [...Object.keys(OPTIONS), "port", "host"];

/** Creates the services, with the layers that all of them share. */
export function createServices<C extends Clock>(
  options: SandboxOptions<C>,
  setting: { readonly keepsResponses?: boolean } = {},
): Services<C> {
  return guardInput("The options of the sandbox", options, () => {
    checkOptions(options);
    return create(options, setting);
  });
}

function checkOptions(options: SandboxOptions<Clock>): void {
  checkOptionNames("The sandbox", options, OPTION_NAMES);
  const { seed = DEFAULT_SEED, clock, latency = 0, logSize = DEFAULT_LOG_SIZE } = options;
  if (typeof seed !== "number" && typeof seed !== "string")
    throw new TypeError(`seed must be a number or a string; it is ${describeValue(seed)}.`);
  if (clock !== undefined && !(hasMethod(clock, "now") && hasMethod(clock, "sleep")))
    throw new TypeError("clock must be a clock, such as createVirtualClock().");
  if (typeof latency !== "number" || !(latency >= 0))
    throw new TypeError("latency must be a number of milliseconds.");
  if (logSize !== Infinity) checkInteger("logSize", logSize, 0);
  for (const [name, known] of Object.entries(serviceOptions)) {
    const own = options[name as ServiceName];
    if (own === undefined) continue;
    if (!isRecord(own))
      throw new TypeError(`${name} requires its options in an object, not ${describeValue(own)}.`);
    checkOptionNames(name, own, Object.keys(known));
  }
}

function create<C extends Clock>(
  options: SandboxOptions<C>,
  { keepsResponses = false }: { readonly keepsResponses?: boolean },
): Services<C> {
  const { seed = DEFAULT_SEED, latency = 0, logSize = DEFAULT_LOG_SIZE } = options;
  // Without a custom clock, C is the type of the virtual one.
  const clock = options.clock ?? (createVirtualClock(DEFAULT_START) as Clock as C);
  const feed = createFeed();
  const log = createRequestLog({
    clock,
    limit: logSize,
    report: feed.report,
    keep: keepsResponses ? keepResponses() : undefined,
  });

  const around = (service: string): Layer[] => [
    log.layer(service),
    ...(latency > 0 ? [addLatency(latency)] : []),
    playFaults(service, (target) => chooseFault(target), clock),
  ];
  const began = clock.now();
  let webhooks = createWebhooks({ clock, seed, feed });
  const start = () =>
    serveAll(options, {
      clock,
      began,
      seed,
      around,
      webhooks: () => webhooks,
      faults: () => faults,
    });
  const endpoints = serveWebhooks(() => webhooks);
  let { faults } = options;
  let chooseFault = compileFaults(faults, seed);
  let served = start();
  const stop = () => {
    webhooks.stop();
    served.console.stop();
  };

  return {
    get served() {
      return served;
    },
    get webhooks() {
      return webhooks;
    },
    clock,
    log,
    feed,
    handler: async (request, connection) => {
      const { pathname } = new URL(request.url);
      const all = [...Object.values(served), endpoints];
      const service = all.find(({ prefix }) => pathname.startsWith(`${prefix}/`));
      return service === undefined
        ? textResponse("Not Found", { status: 404 })
        : service.handler(request, connection);
    },
    setFaults: (script) => {
      chooseFault = compileFaults(script, seed);
      faults = script;
      feed.report({ kind: "faults" });
    },
    stop,
    reset: () => {
      ({ faults } = options);
      chooseFault = compileFaults(faults, seed);
      stop();
      webhooks = createWebhooks({ clock, seed, feed });
      served = start();
      log.clear();
      feed.report({ kind: "reset" });
    },
  };
}
