import { oneOf, options, trueOrFalse, wholeNumber } from "@fieldmesh/core/internal";
import { aNumber, must } from "../checks.ts";
import { aDeployment, type Deployment, type Presets } from "../serve/deployment.ts";
import type { InputRules } from "../serve/read-input.ts";
import type { Budgets, KeyMode, RememberedCalls } from "./layers.ts";
import { ROLES, type KeyRole } from "../webhooks/roles.ts";
import { createRandom, type Random } from "../random.ts";
import { parseJson, stringifyJson } from "@fieldmesh/core";
import type { RateWindows } from "../serve/rate-limit.ts";
import { bodyOf, textResponse } from "../serve/responses.ts";
import { saveWindows } from "../saved/saved.ts";
import type { SavedMobile } from "../saved/snapshot-schema.ts";

/** The differences between deployments of the mobile service, and settings for tests. */
export interface MobileOptions {
  /**
   * The server that the mobile service plays: that of the published spec, or a hosted deployment (observed). `"hosted"` sets
   * `inputs` to `"observed"`.
   *
   * @default "spec"
   */
  deployment?: Deployment | undefined;
  /**
   * The bodies that it accepts. The published spec requires no field, so `"spec"` accepts a subscriber with a phone number only
   * and a subscription without a plan. `"observed"` requires the email and the name of a subscriber, and the plan of a subscription.
   *
   * @default "spec"
   */
  inputs?: "spec" | "observed" | undefined;
  /** The requests per minute for each key. @default 600 reads and 120 writes (observed) */
  budgets?: Partial<Budgets> | undefined;
  /** The number of events per page of `/events`. @default 100 */
  pageSize?: number | undefined;
  /** The order of `/events`, which the published spec does not state. @default "oldest_first" */
  eventOrder?: "oldest_first" | "newest_first" | "none" | undefined;
  /**
   * The roles of keys that see the personal data of a subscriber, which is `null` for all others. The published spec says that it
   * depends on the role, but not on which one.
   *
   * @default ["sk"]
   */
  personalDataFor?: readonly KeyRole[] | undefined;
  /**
   * Whether the operator has switched on fraud screening. If so, a signup and `POST /v1/fraud/decisions` emit `fraud.evaluated`.
   * The response contains the decision in either case.
   *
   * @default false
   */
  fraudScreening?: boolean | undefined;
}

export const checkMobile = /* @__PURE__ */ options<MobileOptions>("mobile", {
  deployment: aDeployment,
  inputs: /* @__PURE__ */ oneOf("spec", "observed"),
  budgets: /* @__PURE__ */ options<Partial<Budgets>>(
    "mobile.budgets",
    { reads: /* @__PURE__ */ aNumber(0), writes: /* @__PURE__ */ aNumber(0) },
    "{ reads: 600 }",
  ),
  pageSize: /* @__PURE__ */ wholeNumber(1),
  eventOrder: /* @__PURE__ */ oneOf("none", "oldest_first", "newest_first"),
  personalDataFor: /* @__PURE__ */ must(
    'an array of roles of keys: "pk", "rk", "sk"',
    (value) => Array.isArray(value) && value.every((role) => ROLES.includes(role as KeyRole)),
  ),
  fraudScreening: trueOrFalse,
});

/** The mobile service of the published spec, and that of a hosted deployment (observed). */
export const mobilePresets: Presets<{ readonly inputs: InputRules }> = {
  spec: { inputs: "spec" },
  hosted: { inputs: "observed" },
};

/** A record with an id. It belongs to one environment. */
export interface MobileRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The records of the mobile service, by id. Tests may change them. */
export interface MobileState {
  readonly subscribers: Map<string, MobileRecord & { readonly livemode: boolean }>;
  readonly subscriptions: Map<string, MobileRecord & { readonly livemode: boolean }>;
  /** The keys and their environments. The prefix of a key is its role: `pk_`, `rk_` or `sk_`. */
  readonly keys: Map<string, KeyMode>;
}

/** Creates cursors that cannot be guessed, so that an invented cursor is rejected. */
export function createEventCursors(seed: number | string, list: string) {
  /** Returns the cursor of the page that begins after this many events. */
  const write = (offset: number): string => {
    const mark = createRandom(seed, `cursor ${list} ${offset}`).hex(16).toLowerCase();
    return `evc_${offset}_${mark}`;
  };
  return {
    write,
    /** Returns how many events precede the page of a cursor; `undefined` for a string that this list never returned. */
    read: (cursor: string): number | undefined => {
      const offset = Number(/^evc_(\d{1,15})_/.exec(cursor)?.[1]);
      return !Number.isNaN(offset) && write(offset) === cursor ? offset : undefined;
    },
  };
}

export type { SavedMobile };

type Records = SavedMobile["subscribers"];

/** All that the mobile service remembers. */
interface MobileMemory {
  readonly state: MobileState;
  readonly ids: Random;
  readonly windows: RateWindows;
  readonly remembered: RememberedCalls;
}

/** Copies what the mobile service remembers. A call that is in progress belongs to this sandbox only. */
export function saveMobile({ state, ids, windows, remembered }: MobileMemory): SavedMobile {
  return {
    subscribers: saveRecords(state.subscribers),
    subscriptions: saveRecords(state.subscriptions),
    keys: [...state.keys],
    ids: ids.position(),
    windows: saveWindows(windows),
    remembered: [...remembered].flatMap(([name, { until, request, response }]) => {
      const body = response && bodyOf(response);
      if (response === undefined || body === undefined) return [];
      const { status, headers } = response;
      return [{ name, until, request, response: { status, headers: [...headers], body } }];
    }),
  };
}

export function loadMobile(
  saved: SavedMobile,
  { state, remembered }: Pick<MobileMemory, "state" | "remembered">,
): void {
  loadRecords(state.subscribers, saved.subscribers);
  loadRecords(state.subscriptions, saved.subscriptions);
  state.keys.clear();
  for (const [key, mode] of saved.keys) state.keys.set(key, mode);
  for (const { name, until, request, response } of saved.remembered) {
    const { status, headers, body } = response;
    const first = textResponse(body, { status, headers: Object.fromEntries(headers) });
    remembered.set(name, { until, request, response: first });
  }
}

function saveRecords(from: ReadonlyMap<string, object>): Records {
  return Array.from(from, ([id, record]) => [id, stringifyJson(record, { reveal: true })]);
}

function loadRecords<R>(to: Map<string, R>, saved: Records): void {
  for (const [id, record] of saved) to.set(id, parseJson(record) as R);
}
