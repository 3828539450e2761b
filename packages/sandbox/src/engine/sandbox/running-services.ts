import { compileFaults, type PlayedFaults } from "../faults/fault-script.ts";
import { withoutInfinity } from "../saved/saved.ts";
import type { Layer } from "../serve/call.ts";
import type { Feed } from "../services/feed.ts";
import type { Running } from "../services/rewind.ts";
import {
  type Served,
  serveAll,
  type ServiceName,
  type ServiceOptions,
} from "../services/served.ts";
import {
  type CheckedSnapshot,
  createSnapshot,
  functionsOfSnapshot,
  loadFaults,
  saveFaults,
} from "../services/snapshot.ts";
import type { Journal } from "../time/journal.ts";
import type { Moment } from "../time/moment.ts";
import { createWebhooks, type WebhookService } from "../webhooks/create-webhooks.ts";
import type { WebhookFeed } from "../webhooks/webhooks.ts";
import type { SandboxOptions } from "./sandbox-options.ts";
import { type LayersSetting, sharedLayers } from "./shared-layers.ts";

/** What a reset, a restore or a step back replaces: the services, their webhooks and the faults. */
export interface RunningServices extends Running {
  served: Served;
  webhooks: WebhookService;
  faults: PlayedFaults;
  generation: number;
  /** Replaces all of it, by saved data or by new data. Nothing is delivered before `webhooks.deliver()`. */
  readonly start: (saved: CheckedSnapshot | undefined) => void;
  /** Ends all that is in progress or waits. */
  readonly stop: () => void;
}

/** What stays when the services are replaced. */
export interface RunningSetting extends LayersSetting {
  readonly options: ServiceOptions;
  readonly seed: number | string;
  /** The faults of new data. */
  readonly faults: SandboxOptions["faults"];
  readonly moment: Moment;
  readonly feed: Feed;
  readonly journal: Journal<Served & { readonly webhooks: WebhookService }, CheckedSnapshot>;
}

export function runServices(
  setting: RunningSetting,
  first: CheckedSnapshot | undefined,
): RunningServices {
  const { options, seed, clock, moment, journal } = setting;
  const feed: WebhookFeed = {
    isWatched: setting.feed.isWatched,
    report: (activity) => {
      // What is repeated has been reported when it happened.
      if (journal.repeating === undefined) setting.feed.report(activity);
    },
  };
  let began = clock.now();

  const around = (service: ServiceName): Layer[] => {
    const created = running.generation;
    const isCurrent = () => created === running.generation;
    const faults = () => running.faults;
    return sharedLayers(service, setting, { faults, count: running.count, isCurrent });
  };

  const faultsOf = (saved: CheckedSnapshot | undefined): PlayedFaults => {
    if (saved === undefined) return compileFaults(setting.faults, { seed, clock: moment });
    const { script, position } = saved.faults;
    const own = loadFaults(script) ?? functionsOfSnapshot(saved).faults;
    return compileFaults(own, { seed, clock: moment, from: position });
  };

  const running = {
    generation: 0,
    start: (saved) => {
      running.generation++;
      began = saved?.began ?? began;
      // The services read them while they start.
      running.faults = faultsOf(saved);
      running.webhooks = createWebhooks({
        clock: moment,
        steered: clock,
        seed,
        feed,
        change: journal.change,
        saved: saved?.services.webhooks,
        functions: saved && functionsOfSnapshot(saved).endpoints,
      });
      running.served = serveAll(options, {
        clock: moment,
        began,
        seed,
        around,
        webhooks: () => running.webhooks.api,
        faults: () => running.faults.script,
        change: journal.change,
        saved: saved?.services,
      });
    },
    stop: () => {
      running.webhooks.stop();
      running.served.console.stop();
    },
    save: () => {
      const { served, webhooks, faults } = running;
      const script = saveFaults(faults.script);
      return createSnapshot(
        {
          seed,
          time: clock.now(),
          began,
          options: withoutInfinity(options),
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
    },
    count: () => ({
      devices: running.served.console.deviceCount,
      deliveries: running.webhooks.deliveryCount,
    }),
    // The rest follows at once.
  } as RunningServices;
  running.start(first);
  return running;
}
