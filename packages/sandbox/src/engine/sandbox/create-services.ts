import { type Clock, guardInput } from "@fieldmesh/core";
import type { Layer } from "../serve/call.ts";
import {
  checkOptions,
  checkServiceOptions,
  DEFAULT_LOG_BYTES,
  DEFAULT_LOG_SIZE,
  DEFAULT_SEED,
} from "./check-options.ts";
import { compileFaults, type FaultScript, type PlayedFaults } from "../faults/fault-script.ts";
import type { Controlled } from "../controls/controls.ts";
import { loadControls } from "../controls/load-controls.ts";
import { createFeed, type Feed } from "../services/feed.ts";
import { createKeptCalls } from "../log/kept-calls.ts";
import { keepResponses } from "../log/kept-responses.ts";
import { createRequestLog, type LoggedRequest, type WritableLog } from "../log/request-log.ts";
import { textResponse } from "../serve/responses.ts";
import type { SandboxOptions } from "./sandbox-options.ts";
import { sharedLayers } from "./shared-layers.ts";
import type { Handler } from "../serve/serve.ts";
import {
  type Served,
  serveAll,
  type ServiceName,
  type ServiceOptions,
} from "../services/served.ts";
import { copyClock, setClock } from "../time/copy-clock.ts";
import { checkFit, numberOf } from "./check-target.ts";
import { createForks, type Forks } from "../services/forks.ts";
import { createJournal } from "../time/journal.ts";
import { createMoment } from "../time/moment.ts";
import { createRewind, type Rewind } from "../services/rewind.ts";
import {
  type CheckedSnapshot,
  checkSnapshot,
  createSnapshot,
  functionsOfSnapshot,
  loadFaults,
  loadOptions,
  saveFaults,
  saveOptions,
  type Snapshot,
} from "../services/snapshot.ts";
import { createVirtualClock } from "../time/virtual-clock.ts";
import { createWebhooks, type WebhookService } from "../webhooks/create-webhooks.ts";
import { serveWebhooks } from "../webhooks/serve-webhooks.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";

/** All services behind one handler, however it is served. */
export interface Services<C extends Clock> {
  /** The services since the last reset. */
  readonly served: Served;
  /** The webhooks since the last reset. */
  readonly webhooks: Webhooks;
  readonly clock: C;
  readonly log: WritableLog;
  readonly feed: Feed;
  readonly handler: Handler;
  readonly setFaults: (script: FaultScript | undefined) => void;
  /** Ends all deliveries, in progress or waiting. */
  readonly stop: () => void;
  readonly reset: () => void;
  readonly snapshot: () => Snapshot;
  readonly restore: (snapshot: Snapshot) => void;
  readonly stepBack: (before: LoggedRequest | number) => Promise<void>;
  /** Goes back for the page. */
  readonly rewind: Rewind;
  readonly fork: () => Services<C>;
  /** The forks that are served below this sandbox. */
  readonly forks: Forks;
  readonly serveFork: () => string;
}

/** How services are served. */
export interface ServicesSetting {
  /** Whether responses are kept to show them. @default false */
  readonly keepsResponses?: boolean;
  /** Whether the controls may show signing secrets. @default true */
  readonly showsSigningSecrets?: boolean;
}

const DEFAULT_START = "2026-11-20T08:00:00Z";

/** Creates the services, with the layers that all of them share. */
export function createServices<C extends Clock>(
  options: SandboxOptions<C>,
  setting: ServicesSetting = {},
): Services<C> {
  return guardInput("The options of the sandbox", options, () => {
    checkOptions(options);
    const { snapshot, seed = DEFAULT_SEED, ...others } = options;
    if (snapshot === undefined) return create({ ...others, seed }, setting, undefined);
    const saved = checkSnapshot(snapshot);
    const own = loadOptions(saved.options);
    checkServiceOptions(own);
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
  const report: Feed["report"] = (activity) => {
    // What is repeated has been reported when it happened.
    if (journal.repeating === undefined) feed.report(activity);
  };
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
    current: () => ({ ...served, webhooks }),
    save: () => save(),
    random: {
      position: () => webhooks.random.position(),
      continueAt: (position) => webhooks.changes.continueAt(position),
    },
  });
  let generation = 0;
  let began = first?.began ?? clock.now();
  let faults = compileFaults(options.faults, seed);
  const count = () => ({
    devices: served.console.deviceCount,
    deliveries: webhooks.deliveryCount,
  });
  const around = (service: ServiceName): Layer[] => {
    const created = generation;
    return sharedLayers(service, {
      log,
      journal,
      calls,
      faults: () => faults,
      count,
      latency,
      clock,
      isCurrent: () => created === generation,
    });
  };
  const stop = () => {
    webhooks.stop();
    served.console.stop();
  };
  /** Starts the services with saved data, or with new data. They deliver nothing yet. */
  const load = (saved: CheckedSnapshot | undefined) => {
    const functions = saved && functionsOfSnapshot(saved);
    generation++;
    faults =
      saved === undefined
        ? compileFaults(options.faults, seed)
        : compileFaults(
            loadFaults(saved.faults.script) ?? functions?.faults,
            seed,
            saved.faults.position,
          );
    began = saved?.began ?? began;
    const webhookService = createWebhooks({
      clock: moment,
      steered: clock,
      seed,
      feed: { isWatched: feed.isWatched, report },
      change: journal.change,
      saved: saved?.services.webhooks,
      functions: functions?.endpoints,
    });
    const services = serveAll(own, {
      clock: moment,
      began,
      seed,
      around,
      webhooks: () => webhooks.api,
      faults: () => faults.script,
      change: journal.change,
      saved: saved?.services,
    });
    return { webhooks: webhookService, served: services };
  };
  const save = (): CheckedSnapshot => {
    const script = saveFaults(faults.script);
    return createSnapshot(
      {
        seed,
        time: clock.now(),
        began,
        options: saveOptions(own),
        faults: { ...(script && { script }), position: [...faults.position()] },
        services: {
          console: served.console.save(),
          ledger: served.ledger.save(),
          mapper: served.mapper.save(),
          mobile: served.mobile.save(),
          webhooks: webhooks.save(),
        },
      },
      { faults: faults.script, endpoints: webhooks.functions() },
    );
  };
  /** Replaces everything from now on. */
  const replace = (
    saved: CheckedSnapshot | undefined,
    after: () => void = () => journal.begin(saved),
  ) => {
    stop();
    if (saved !== undefined) setClock(clock, saved.time);
    ({ webhooks, served } = load(saved));
    after();
    webhooks.deliver();
    feed.report({ kind: "reset" });
  };
  /** Goes back. `after` makes changes that are remembered. Returns a function that puts the requests back in the log. */
  const stepBack = async (number: number, after?: () => void) => {
    let putBack = () => {};
    await journal.back(number, {
      load: (saved) => {
        stop();
        ({ webhooks, served } = load(saved));
      },
      finish: (arrival) => {
        faults = compileFaults(faults.script, seed, arrival.faults);
        setClock(clock, arrival.time);
        putBack = log.cut(number);
      },
      ...(after && { after }),
    });
    webhooks.deliver();
    feed.report({ kind: "reset" });
    return putBack;
  };
  const continueFaults = (next: PlayedFaults) => {
    const set = () => {
      faults = next;
    };
    journal.change(set, set);
  };

  let { webhooks, served } = load(first);
  journal.begin(first);
  webhooks.deliver();

  const services: Services<C> & Controlled = {
    options: own,
    get served() {
      return served;
    },
    get webhooks() {
      return webhooks.api;
    },
    clock,
    log,
    feed,
    handler: async (request, connection) => {
      while (journal.repeating !== undefined) await journal.repeating;
      const { pathname } = new URL(request.url);
      const all = [...Object.values(served), endpoints, controls];
      const service = all.find(({ prefix }) => pathname.startsWith(`${prefix}/`));
      if (service !== undefined) return service.handler(request, connection);
      const forked = forks.handle(request, connection);
      return forked ?? textResponse("Not Found", { status: 404 });
    },
    setFaults: (script) => {
      const set = () => {
        faults = compileFaults(script, seed);
      };
      journal.change(set, set);
      feed.report({ kind: "faults" });
    },
    rewind: createRewind({
      clock,
      log,
      journal,
      limit: logSize,
      count,
      webhooks: () => webhooks,
      faults: () => faults,
      continueFaults,
      save,
      generation: () => generation,
      stepBack,
      load: replace,
    }),
    stop: () => {
      stop();
      forks.stop();
    },
    reset: () => {
      journal.clear();
      log.clear();
      calls.clear();
      replace(undefined);
    },
    snapshot: save,
    restore: (snapshot) => {
      const saved = guardInput("The snapshot", snapshot, () => checkSnapshot(snapshot));
      checkFit(saved, seed, saveOptions(own));
      replace(saved);
    },
    stepBack: async (before) => {
      await stepBack(numberOf(before, log));
    },
    fork: () => create({ ...options, clock: copyClock(clock) }, setting, save()),
    forks: createForks(),
    serveFork: () => forks.add(services.fork()),
    logSize,
    get faults() {
      return faults.script;
    },
    sentBody: (...delivery) => webhooks.sentBody(...delivery),
    showsSigningSecrets: setting.showsSigningSecrets ?? true,
  };
  const { forks } = services;
  const endpoints = serveWebhooks(() => webhooks.api);
  const controls = { prefix: "/sandbox", handler: loadControls(services) };
  return services;
}
