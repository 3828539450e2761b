import { ENDED, oneOf, options } from "@fieldmesh/core/internal";
import * as tables from "@fieldmesh/console-client/endpoints";
import { aNumber, anInterval } from "../checks.ts";
import type { FaultScript } from "../faults/fault-script.ts";
import { addTextType, jsonResponse } from "../serve/responses.ts";
import { limitRate } from "../serve/rate-limit.ts";
import { createRandom, type Random } from "../random.ts";
import {
  type CompleteImplementation,
  type ServedService,
  type ServiceSetting,
  serveTables,
} from "../serve/serve.ts";
import { aDeployment, type Deployment, switchesOf } from "../serve/deployment.ts";
import type { Change } from "../time/journal.ts";
import { type ConsoleDeployment, consolePresets } from "./state/deployment.ts";
import { devices } from "./rows/devices.ts";
import { flows } from "./rows/flows.ts";
import { integrations } from "./rows/integrations.ts";
import {
  type ConsoleMemory,
  loadConsole,
  saveConsole,
  type SavedConsole,
} from "./saved-console.ts";
import { lagDeviceList } from "./stale-list.ts";
import { labels } from "./rows/labels.ts";
import { organization } from "./rows/organization.ts";
import { isPlainString, rejectInput } from "./rows/errors.ts";
import { readBody } from "./rows/read-body.ts";
import {
  type NewUplink,
  sendUplink,
  type SentUplink,
  uplinkChanges,
  type UplinkChanges,
} from "./uplinks/send-uplink.ts";
import { seedConsole, USUAL_INTERVAL } from "./seed.ts";
import { type ConsoleState, createConsoleRandoms, createConsoleState } from "./state/state.ts";
import { isDue, letTimePass, passTime } from "./uplinks/uplinks.ts";
import type { Layer } from "../serve/call.ts";

/** Options of the console, and the differences between its deployments. */
export interface ConsoleOptions extends Partial<ConsoleDeployment> {
  /**
   * The server that the console plays: that of the published spec, or a hosted deployment (observed). `"hosted"` sets `inputs` to
   * `"observed"`, `organization` to `"record"`, `records` to `"full"`, `lookup` to `"device"`, `singleCreate` to `"disabled"`,
   * `flowCreated` to `"text"` and `requestsPerMinute` to 600.
   *
   * @default "spec"
   */
  deployment?: Deployment | undefined;
  /** The data at the start: a small fleet with an integration and a flow, or only the organization. @default "fleet" */
  data?: "fleet" | "empty" | undefined;
  /**
   * Milliseconds between two uplinks of a device, by the clock of the sandbox. `Infinity` for devices that never send.
   *
   * @default 600_000 - ten minutes
   */
  uplinkInterval?: number | undefined;
}

export const checkConsole = /* @__PURE__ */ options<ConsoleOptions>("console", {
  deployment: aDeployment,
  inputs: /* @__PURE__ */ oneOf("spec", "observed"),
  organization: /* @__PURE__ */ oneOf("list", "record"),
  records: /* @__PURE__ */ oneOf("spec", "full"),
  lookup: /* @__PURE__ */ oneOf("list", "descriptor", "device"),
  duplicates: /* @__PURE__ */ oneOf("rejected", "allowed"),
  bothChanges: /* @__PURE__ */ oneOf("rejected", "allowed"),
  singleCreate: /* @__PURE__ */ oneOf("enabled", "disabled"),
  flowCreated: /* @__PURE__ */ oneOf("record", "text"),
  textType: /* @__PURE__ */ oneOf("none", "text/plain"),
  requestsPerMinute: /* @__PURE__ */ aNumber(0),
  data: /* @__PURE__ */ oneOf("fleet", "empty"),
  uplinkInterval: anInterval,
});

export interface ServedConsole extends ServedService<ConsoleState, SavedConsole> {
  /** Up to date with the clock. */
  readonly state: ConsoleState;
  /** The number of devices. Reading it lets no time pass. */
  readonly deviceCount: number;
  readonly apiKey: string;
  readonly unconfirmedApiKey: string;
  readonly sendUplink: (uplink: NewUplink) => Promise<SentUplink>;
  readonly changes: ConsoleChanges;
  /** Ends all deliveries in progress. */
  readonly stop: () => void;
}

/** The changes of a console that no request makes. */
export interface ConsoleChanges extends UplinkChanges {
  readonly passTime: () => void;
}

interface ConsoleSetting extends ServiceSetting<SavedConsole> {
  readonly faults: () => FaultScript | undefined;
  readonly change: Change<{ readonly console: { readonly changes: ConsoleChanges } }>;
}

export function serveConsole(
  given: ConsoleOptions,
  { clock, seed, around, windows, faults, change, saved }: ConsoleSetting,
): ServedConsole {
  const { data = "fleet", uplinkInterval = USUAL_INTERVAL } = given;
  const deployment = switchesOf(consolePresets, given);
  const randoms = createConsoleRandoms(seed, saved);
  const state = createConsoleState(
    { deployment, clock, uplinkInterval },
    randoms,
    saved && { ...saved.organization },
  );
  const past: ConsoleMemory["past"] = [];
  const memory: ConsoleMemory = { state, randoms, windows, past };
  const random = createRandom(seed, "console keys");
  const [apiKey, unconfirmedApiKey] = [newKey(random), newKey(random)];
  if (saved === undefined) {
    state.keys.set(apiKey, "confirmed").set(unconfirmedApiKey, "unconfirmed");
    if (data === "fleet") seedConsole(state, seed);
  } else loadConsole(saved, memory);
  const implementation = {
    organization: organization(state),
    labels: labels(state),
    devices: devices(state),
    integrations: integrations(state),
    flows: flows(state),
  } satisfies CompleteImplementation<typeof tables>;
  const own = [
    ...(state.deployment.textType === "none" ? [] : [addTextType(state.deployment.textType)]),
    limitRate(state.deployment.requestsPerMinute, clock, windows),
    checkKey(state),
    letTimePass(state),
    lagDeviceList(state, faults, { moment: clock, past }),
  ];
  const served = serveTables(tables, implementation, {
    prefix: "/console",
    reject: rejectInput,
    rules: deployment.inputs,
    readBody,
    ignores: deployment.inputs === "spec" ? isPlainString : undefined,
    layers: [...around, ...own],
  });
  const stopped = new AbortController();
  const changes: ConsoleChanges = { passTime: () => passTime(state), ...uplinkChanges(state) };
  const make = <T>(work: (changed: ConsoleChanges) => T): T =>
    change(
      () => work(changes),
      (current) => work(current.console.changes),
    );
  return {
    ...served,
    windows,
    perMinute: { requests: state.deployment.requestsPerMinute },
    apiKey,
    unconfirmedApiKey,
    sendUplink: (uplink) => sendUplink(state, uplink, stopped.signal, make),
    changes,
    get deviceCount() {
      return state.devices.size;
    },
    save: () => saveConsole(memory),
    stop: () => stopped.abort(ENDED),
    get state() {
      if (isDue(state)) make((changed) => changed.passTime());
      return state;
    },
  };
}

const KEY_BYTES = 32;

/** Returns 32 bytes in base64, like the keys of running deployments (observed). */
function newKey(random: Random): string {
  const bytes = Array.from({ length: KEY_BYTES }, () => random.int(0, 255));
  return btoa(String.fromCodePoint(...bytes));
}

/** The layer that requires the header `key`. Its errors are those of running deployments, in JSON without a content type (observed). */
function checkKey({ keys }: ConsoleState): Layer {
  return (next) => async (call) => {
    const key = call.request.headers.get("key") ?? "";
    const state = keys.get(key);
    if (state === "confirmed") return next(call);
    call.keyRejected = true;
    const contentType = undefined;
    if (key === "") {
      const body = { type: "forbidden", errors: ["Key header is missing"] };
      return jsonResponse(body, { status: 403, contentType });
    }
    const message =
      state === "unconfirmed" ? "api_key_needs_email_verification" : "invalid_api_key";
    return jsonResponse({ message }, { status: 401, contentType });
  };
}
