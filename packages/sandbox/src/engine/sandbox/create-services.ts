import { type Clock, mistake, readInput } from "@fieldmesh/core/internal";
import type { Controlled } from "../controls/controls.ts";
import { loadControls } from "../controls/load-controls.ts";
import { compileFaults, type PlayedFaults } from "../faults/fault-script.ts";
import { createKeptCalls, keepResponses } from "../log/kept-calls.ts";
import type { LoggedRequest } from "../log/logged-request.ts";
import { createRequestLog } from "../log/request-log.ts";
import { withInfinity, withoutInfinity } from "../saved/saved.ts";
import { textResponse } from "../serve/responses.ts";
import { createFeed } from "../services/feed.ts";
import { createForks } from "../services/forks.ts";
import { createRewind } from "../services/rewind.ts";
import type { Served, ServiceOptions } from "../services/served.ts";
import { type CheckedSnapshot, checkSnapshot } from "../services/snapshot.ts";
import { copyClock, setClock, createVirtualClock } from "../time/clocks.ts";
import { createJournal } from "../time/journal.ts";
import { createMoment } from "../time/moment.ts";
import type { WebhookService } from "../webhooks/create-webhooks.ts";
import { serveWebhooks } from "../webhooks/serve-webhooks.ts";
import { checkFit, numberOf, readSandboxOptions, type SandboxOptions } from "./sandbox-options.ts";
import { runServices } from "./running-services.ts";

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

type CurrentServices = Served & { readonly webhooks: WebhookService };

/** Composes the makers below. Each of them gets what the ones before it have made. */
function create<C extends Clock>(
  options: CreateOptions<C>,
  setting: ServicesSetting,
  first: CheckedSnapshot | undefined,
): Services<C> {
  const { seed, logSize = DEFAULT_LOG_SIZE } = options;
  const lasting = makeLasting(options, setting, first);
  const { clock, log, calls, feed } = lasting;
  const current = makeCurrent(options, lasting, first);
  const { running, journal } = current;
  const changes = makeChanges(seed, lasting, current);
  const forks = createForks();
  const endpoints = serveWebhooks(() => running.webhooks.api);

  const services: Services<C> = {
    options: lasting.options,
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
      changes.setFaults(() => compileFaults(script, { seed, clock: lasting.moment }));
      feed.report({ kind: "faults" });
    },
    rewind: createRewind({
      clock,
      log,
      journal,
      limit: logSize,
      running,
      continueFaults: (faults) => changes.setFaults(() => faults),
      stepBack: changes.stepBack,
      load: changes.replace,
    }),
    stop: () => {
      running.stop();
      forks.stop();
    },
    reset: () => {
      journal.clear();
      log.clear();
      calls.clear();
      changes.replace(undefined);
    },
    snapshot: running.save,
    restore: (snapshot) => {
      const saved = readInput("The snapshot", () => checkSnapshot(snapshot));
      checkFit(saved, seed, withoutInfinity(lasting.options));
      changes.replace(saved);
    },
    stepBack: async (before) => {
      await changes.stepBack(numberOf(before, log));
    },
    fork: () => create({ ...options, clock: copyClock(clock) }, setting, running.save()),
    forks,
    serveFork: () => forks.add(services.fork()),
    logSize,
    get faults() {
      return running.faults.script;
    },
    sentBody: (...delivery) => running.webhooks.sentBody(...delivery),
    showsSigningSecrets: setting.showsSigningSecrets ?? true,
  };
  const controls = { prefix: "/sandbox", handler: loadControls(services) };
  return services;
}

type Lasting<C extends Clock> = ReturnType<typeof makeLasting<C>>;

/** Makes what stays when the services are replaced: the clock, the log, and who watches. */
function makeLasting<C extends Clock>(
  options: CreateOptions<C>,
  { keepsResponses }: ServicesSetting,
  first: CheckedSnapshot | undefined,
) {
  const { console, ledger, mapper, mobile } = options;
  const { logSize: limit = DEFAULT_LOG_SIZE, logBytes = DEFAULT_LOG_BYTES } = options;
  // Without a custom clock, C is the type of the virtual one.
  const clock = options.clock ?? (createVirtualClock(first?.time ?? DEFAULT_START) as Clock as C);
  const feed = createFeed();
  const calls = createKeptCalls(logBytes);
  const keep = keepsResponses === true ? keepResponses() : undefined;
  const log = createRequestLog({ clock, limit, calls, report: feed.report, keep });
  const own: ServiceOptions = { console, ledger, mapper, mobile };
  return { options: own, clock, moment: createMoment(clock), feed, calls, log };
}

type Current = ReturnType<typeof makeCurrent>;

/** Starts the services, and the journal of their changes. */
function makeCurrent<C extends Clock>(
  { seed, faults, latency = 0, logSize, logBytes }: CreateOptions<C>,
  lasting: Lasting<C>,
  first: CheckedSnapshot | undefined,
) {
  const journal = createJournal<CurrentServices, CheckedSnapshot>({
    moment: lasting.moment,
    limit: logSize ?? DEFAULT_LOG_SIZE,
    mostBytes: logBytes ?? DEFAULT_LOG_BYTES,
    // The services need the journal to start. It reads them with the first change.
    current: () => ({ ...running.served, webhooks: running.webhooks }),
    save: () => running.save(),
    random: {
      position: () => running.webhooks.random.position(),
      continueAt: (position) => running.webhooks.changes.continueAt(position),
    },
  });
  const running = runServices({ ...lasting, seed, faults, latency, journal }, first);
  journal.begin(first);
  running.webhooks.deliver();
  return { journal, running };
}

/** Makes the ways to other services and other faults, each of which the journal remembers. */
function makeChanges<C extends Clock>(
  seed: number | string,
  { clock, moment, feed, log }: Lasting<C>,
  { journal, running }: Current,
) {
  return {
    /** Replaces the services by saved or by new ones. */
    replace: (
      saved: CheckedSnapshot | undefined,
      after: () => void = () => journal.begin(saved),
    ): void => {
      running.stop();
      if (saved !== undefined) setClock(clock, saved.time);
      running.start(saved);
      after();
      running.webhooks.deliver();
      feed.report({ kind: "reset" });
    },
    /** Goes back. `after` makes changes that are remembered. Returns a function that puts the requests back in the log. */
    stepBack: async (number: number, after?: () => void): Promise<() => void> => {
      let putBack = () => {};
      await journal.back(number, {
        load: (saved) => {
          running.stop();
          running.start(saved);
        },
        finish: (arrival) => {
          const { script } = running.faults;
          running.faults = compileFaults(script, { seed, clock: moment, from: arrival.faults });
          setClock(clock, arrival.time);
          putBack = log.cut(number);
        },
        ...(after && { after }),
      });
      running.webhooks.deliver();
      feed.report({ kind: "reset" });
      return putBack;
    },
    /** Replaces the faults. They are made again when the change is repeated. */
    setFaults: (next: () => PlayedFaults): void => {
      const set = () => void (running.faults = next());
      journal.change(set, set);
    },
  };
}
