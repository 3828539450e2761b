import { type Clock, mistake, readInput } from "@fieldmesh/core/internal";
import type { Controlled } from "../controls/controls.ts";
import { loadControls } from "../controls/load-controls.ts";
import { compileFaults, type PlayedFaults } from "../faults/fault-script.ts";
import { createKeptCalls } from "../log/kept-calls.ts";
import { keepResponses } from "../log/kept-responses.ts";
import type { LoggedRequest } from "../log/logged-request.ts";
import { createRequestLog } from "../log/request-log.ts";
import { withInfinity, withoutInfinity } from "../saved/saved.ts";
import { textResponse } from "../serve/responses.ts";
import { createFeed } from "../services/feed.ts";
import { createForks } from "../services/forks.ts";
import { createRewind } from "../services/rewind.ts";
import type { Served, ServiceOptions } from "../services/served.ts";
import { type CheckedSnapshot, checkSnapshot } from "../services/snapshot.ts";
import { copyClock, setClock } from "../time/copy-clock.ts";
import { createJournal } from "../time/journal.ts";
import { createMoment } from "../time/moment.ts";
import { createVirtualClock } from "../time/virtual-clock.ts";
import type { WebhookService } from "../webhooks/create-webhooks.ts";
import { serveWebhooks } from "../webhooks/serve-webhooks.ts";
import { checkFit, numberOf } from "./check-target.ts";
import { runServices } from "./running-services.ts";
import { readSandboxOptions, type SandboxOptions } from "./sandbox-options.ts";

/** All services behind one handler, however it is served. */
export interface Services<C extends Clock> extends Controlled {
  readonly clock: C;
  /** Ends all deliveries, in progress or waiting. */
  readonly stop: () => void;
  readonly stepBack: (before: LoggedRequest | number) => Promise<void>;
  readonly fork: () => Services<C>;
}

export interface ServicesSetting {
  /** Whether responses are kept to show them. @default false */
  readonly keepsResponses?: boolean;
  /** Whether the controls may show signing secrets. @default true */
  readonly showsSigningSecrets?: boolean;
}

const DEFAULT_START = "2026-11-20T08:00:00Z";
const DEFAULT_SEED = 1;
const DEFAULT_LOG_SIZE = 10_000;
const DEFAULT_LOG_BYTES = 64 * 2 ** 20;

/** Creates the services from checked options, with the layers that all of them share. */
export function createServices<C extends Clock>(
  options: SandboxOptions<C>,
  setting: ServicesSetting = {},
): Services<C> {
  return readInput("The options of the sandbox", () => {
    const { snapshot, seed, ...others } = options;
    if (snapshot === undefined)
      return create({ ...others, seed: seed ?? DEFAULT_SEED }, setting, undefined);
    const { console, ledger, mapper, mobile } = others;
    const inSnapshot = Object.entries({ seed, console, ledger, mapper, mobile });
    const [given] = inSnapshot.find(([, value]) => value !== undefined) ?? [];
    if (given !== undefined)
      throw mistake(
        `A snapshot has the seed and the options of the services: remove ${given}, or remove snapshot.`,
      );
    const saved = checkSnapshot(snapshot);
    const own = readSandboxOptions<ServiceOptions>(withInfinity(saved.options));
    if (others.clock !== undefined) setClock(others.clock, saved.time);
    const services = create({ ...others, ...own, seed: saved.seed }, setting, saved);
    if (others.faults !== undefined) services.setFaults(others.faults);
    return services;
  });
}

interface CreateOptions<C extends Clock> extends Omit<SandboxOptions<C>, "snapshot"> {
  readonly seed: number | string;
}

function create<C extends Clock>(
  options: CreateOptions<C>,
  setting: ServicesSetting,
  first: CheckedSnapshot | undefined,
): Services<C> {
  const { seed, latency = 0 } = options;
  const { logSize = DEFAULT_LOG_SIZE, logBytes = DEFAULT_LOG_BYTES } = options;
  // Without a custom clock, C is the type of the virtual one.
  const clock = options.clock ?? (createVirtualClock(first?.time ?? DEFAULT_START) as Clock as C);
  const moment = createMoment(clock);
  const { console, ledger, mapper, mobile } = options;
  const own: ServiceOptions = { console, ledger, mapper, mobile };
  const feed = createFeed();
  const calls = createKeptCalls(logBytes);
  const log = createRequestLog({
    clock,
    limit: logSize,
    calls,
    report: feed.report,
    keep: setting.keepsResponses === true ? keepResponses() : undefined,
  });
  const journal = createJournal<Served & { readonly webhooks: WebhookService }, CheckedSnapshot>({
    moment,
    limit: logSize,
    mostBytes: logBytes,
    current: () => ({ ...running.served, webhooks: running.webhooks }),
    save: () => running.save(),
    random: {
      position: () => running.webhooks.random.position(),
      continueAt: (position) => running.webhooks.changes.continueAt(position),
    },
  });
  const { faults } = options;
  const running = runServices(
    { options: own, seed, faults, latency, clock, moment, log, calls, feed, journal },
    first,
  );
  const replace = (
    saved: CheckedSnapshot | undefined,
    after: () => void = () => journal.begin(saved),
  ) => {
    running.stop();
    if (saved !== undefined) setClock(clock, saved.time);
    running.start(saved);
    after();
    running.webhooks.deliver();
    feed.report({ kind: "reset" });
  };
  /** Goes back. `after` makes changes that are remembered. Returns a function that puts the requests back in the log. */
  const stepBack = async (number: number, after?: () => void) => {
    let putBack = () => {};
    await journal.back(number, {
      load: (saved) => {
        running.stop();
        running.start(saved);
      },
      finish: (arrival) => {
        running.faults = compileFaults(running.faults.script, seed, arrival.faults);
        setClock(clock, arrival.time);
        putBack = log.cut(number);
      },
      ...(after && { after }),
    });
    running.webhooks.deliver();
    feed.report({ kind: "reset" });
    return putBack;
  };
  const continueFaults = (next: PlayedFaults) => {
    const set = () => void (running.faults = next);
    journal.change(set, set);
  };

  journal.begin(first);
  running.webhooks.deliver();

  const services: Services<C> = {
    options: own,
    get served() {
      return running.served;
    },
    get webhooks() {
      return running.webhooks.api;
    },
    clock,
    log,
    feed,
    handler: async (request, connection) => {
      while (journal.repeating !== undefined) await journal.repeating;
      const { pathname } = new URL(request.url);
      const all = [...Object.values(running.served), endpoints, controls];
      const service = all.find(({ prefix }) => pathname.startsWith(`${prefix}/`));
      if (service !== undefined) return service.handler(request, connection);
      const forked = forks.handle(request, connection);
      return forked ?? textResponse("Not Found", { status: 404 });
    },
    setFaults: (script) => {
      const set = () => void (running.faults = compileFaults(script, seed));
      journal.change(set, set);
      feed.report({ kind: "faults" });
    },
    rewind: createRewind({
      clock,
      log,
      journal,
      limit: logSize,
      running,
      continueFaults,
      stepBack,
      load: replace,
    }),
    stop: () => {
      running.stop();
      forks.stop();
    },
    reset: () => {
      journal.clear();
      log.clear();
      calls.clear();
      replace(undefined);
    },
    snapshot: running.save,
    restore: (snapshot) => {
      const saved = readInput("The snapshot", () => checkSnapshot(snapshot));
      checkFit(saved, seed, withoutInfinity(own));
      replace(saved);
    },
    stepBack: async (before) => {
      await stepBack(numberOf(before, log));
    },
    fork: () => create({ ...options, clock: copyClock(clock) }, setting, running.save()),
    forks: createForks(),
    serveFork: () => forks.add(services.fork()),
    logSize,
    get faults() {
      return running.faults.script;
    },
    sentBody: (...delivery) => running.webhooks.sentBody(...delivery),
    showsSigningSecrets: setting.showsSigningSecrets ?? true,
  };
  const { forks } = services;
  const endpoints = serveWebhooks(() => running.webhooks.api);
  const controls = { prefix: "/sandbox", handler: loadControls(services) };
  return services;
}
