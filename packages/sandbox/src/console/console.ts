import * as tables from "@fieldmesh/console-client/endpoints";
import type { Clock } from "@fieldmesh/core";
import type { Layer } from "../call.js";
import { limitRate } from "../rate-limit.js";
import { createRandom } from "../random.js";
import { type Handler, serve } from "../serve.js";
import { type ConsoleDeployment, specDeployment } from "./deployment.js";
import { devices } from "./devices.js";
import { checkKey } from "./key-check.js";
import { labels } from "./labels.js";
import { organization } from "./organization.js";
import { refuseInput } from "./refusals.js";
import { seedConsole } from "./seed.js";
import { type ConsoleState, createConsoleState } from "./state.js";

/** Options of the console. */
export interface ConsoleOptions {
  /** What differs from the published spec. @default nothing */
  deployment?: Partial<ConsoleDeployment> | undefined;
  /** What it holds at the start: a small fleet, or nothing but the organization. @default "fleet" */
  data?: "fleet" | "empty" | undefined;
}

const PREFIX = "/console";

/** A console that is ready to answer. */
export interface ServedConsole {
  /** The path under which it is reached. */
  readonly prefix: string;
  readonly state: ConsoleState;
  readonly handler: Handler;
  readonly apiKey: string;
  readonly unconfirmedApiKey: string;
}

/** Puts the console together; `around` are the layers of the sandbox, which stand outside of the console's own. */
export function serveConsole(
  { deployment, data = "fleet" }: ConsoleOptions,
  { clock, seed, around }: { clock: Clock; seed: number | string; around: readonly Layer[] },
): ServedConsole {
  const state = createConsoleState({ ...specDeployment, ...deployment }, clock, seed);
  const random = createRandom(seed, "console keys");
  const [apiKey, unconfirmedApiKey] = [newKey(random.hex(32)), newKey(random.hex(32))];
  state.keys.set(apiKey, "confirmed").set(unconfirmedApiKey, "unconfirmed");
  if (data === "fleet") seedConsole(state, seed);
  const implementation = {
    organization: organization(state),
    labels: labels(state),
    devices: devices(state),
  };
  const own = [limitRate(state.deployment.requestsPerMinute, clock), checkKey(state)];
  const handler = serve(tables, implementation, {
    prefix: PREFIX,
    refuse: refuseInput,
    layers: [...around, ...own],
  });
  return { prefix: PREFIX, state, handler, apiKey, unconfirmedApiKey };
}

function newKey(digits: string): string {
  return `sandbox-${digits.toLowerCase()}`;
}
