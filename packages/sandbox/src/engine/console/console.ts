import { checkOptionNames } from "@fieldmesh/core";
import * as tables from "@fieldmesh/console-client/endpoints";
import type { Clock } from "@fieldmesh/core";
import type { Layer } from "../call.ts";
import type { FaultScript } from "../faults/fault-script.ts";
import { addTextType } from "../responses.ts";
import { limitRate } from "../rate-limit.ts";
import { createRandom } from "../random.ts";
import { type CompleteImplementation, type Handler, serve } from "../serve.ts";
import { type ConsoleDeployment, specDeployment } from "./state/deployment.ts";
import { devices } from "./rows/devices.ts";
import { flows } from "./rows/flows.ts";
import { integrations } from "./rows/integrations.ts";
import { checkKey } from "./key-check.ts";
import { lagDeviceList } from "./stale-list.ts";
import { labels } from "./rows/labels.ts";
import { organization } from "./rows/organization.ts";
import { rejectInput } from "./rows/errors.ts";
import { type NewUplink, sendUplink, type SentUplink } from "./uplinks/send-uplink.ts";
import { seedConsole, USUAL_INTERVAL } from "./state/seed.ts";
import { type ConsoleState, createConsoleState } from "./state/state.ts";
import { letTimePass, passTime } from "./uplinks/uplinks.ts";

/** Options of the console. */
export interface ConsoleOptions {
  /** Differences from the published spec. @default none */
  deployment?: Partial<ConsoleDeployment> | undefined;
  /** The data at the start: a small fleet, or only the organization. @default "fleet" */
  data?: "fleet" | "empty" | undefined;
  /**
   * Milliseconds between two uplinks of a device, by the clock of the sandbox. `Infinity` for devices that never send.
   *
   * @default 600_000 - ten minutes
   */
  uplinkInterval?: number | undefined;
}

const PREFIX = "/console";

/** A console that is ready to respond. */
export interface ServedConsole {
  /** The path prefix of the service. */
  readonly prefix: string;
  /** Up to date with the clock. */
  readonly state: ConsoleState;
  readonly handler: Handler;
  readonly apiKey: string;
  readonly unconfirmedApiKey: string;
  readonly sendUplink: (uplink: NewUplink) => Promise<SentUplink>;
  /** Ends all deliveries in progress. */
  readonly stop: () => void;
}

interface ConsoleSurroundings {
  readonly clock: Clock;
  readonly seed: number | string;
  readonly around: readonly Layer[];
  readonly faults: () => FaultScript | undefined;
}

/** Creates the console. `around` are the layers of the sandbox, which run before those of the console. */
export function serveConsole(
  options: ConsoleOptions,
  { clock, seed, around, faults }: ConsoleSurroundings,
): ServedConsole {
  const { deployment, data = "fleet", uplinkInterval = USUAL_INTERVAL } = options;
  if (data !== "fleet" && data !== "empty")
    throw new TypeError('console.data must be "fleet" or "empty".');
  checkOptionNames("console.deployment", deployment ?? {}, Object.keys(specDeployment));
  if (!(uplinkInterval > 0))
    throw new TypeError("uplinkInterval must be more than 0 milliseconds.");
  const state = createConsoleState(
    { deployment: { ...specDeployment, ...deployment }, clock, uplinkInterval },
    seed,
  );
  const random = createRandom(seed, "console keys");
  const [apiKey, unconfirmedApiKey] = [newKey(random.hex(32)), newKey(random.hex(32))];
  state.keys.set(apiKey, "confirmed").set(unconfirmedApiKey, "unconfirmed");
  if (data === "fleet") seedConsole(state, seed);
  const implementation = {
    organization: organization(state),
    labels: labels(state),
    devices: devices(state),
    integrations: integrations(state),
    flows: flows(state),
  } satisfies CompleteImplementation<typeof tables>;
  const own = [
    ...(state.deployment.textType === "none" ? [] : [addTextType(state.deployment.textType)]),
    limitRate(state.deployment.requestsPerMinute, clock),
    checkKey(state),
    letTimePass(state),
    lagDeviceList(state, faults),
  ];
  const handler = serve(tables, implementation, {
    prefix: PREFIX,
    reject: rejectInput,
    layers: [...around, ...own],
  });
  const stopped = new AbortController();
  return {
    prefix: PREFIX,
    handler,
    apiKey,
    unconfirmedApiKey,
    sendUplink: (uplink) => sendUplink(state, uplink, stopped.signal),
    stop: () => stopped.abort(),
    get state() {
      passTime(state);
      return state;
    },
  };
}

function newKey(digits: string): string {
  return `sandbox-${digits.toLowerCase()}`;
}
