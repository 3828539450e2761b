import * as tables from "@fieldmesh/ledger-client/endpoints";
import type { Clock } from "@fieldmesh/core";
import { type RateWindows, countPerMinute } from "../serve/rate-limit.ts";
import {
  type CompleteImplementation,
  type ServedService,
  type ServiceSetting,
  serveTables,
} from "../serve/serve.ts";
import { switchesOf } from "../serve/deployment.ts";
import { saveWindows } from "../saved/saved.ts";
import type { SavedLedger } from "../saved/snapshot-schema.ts";
import { accounts } from "./accounts.ts";
import { blocks } from "./blocks.ts";
import { createChain, DEFAULT_INTERVAL } from "./chain.ts";
import { type LedgerOptions, type LedgerState, ledgerPresets } from "./ledger-state.ts";
import { ledgerError, rejectedByEdge, tooBusy } from "./errors.ts";
import { locations, vars } from "./vars-and-locations.ts";
import type { Layer } from "../serve/call.ts";

export type ServedLedger = ServedService<LedgerState, SavedLedger>;

/** Creates the ledger. At the time `began`, the chain had the height of the options. A reset does not change it. */
export function serveLedger(
  options: LedgerOptions,
  { clock, began, seed, around, windows, saved }: ServiceSetting<SavedLedger> & { began: number },
): ServedLedger {
  const { requestsPerMinute, ...switches } = switchesOf(ledgerPresets, options);
  const state = createLedgerState({ ...options, ...switches }, { clock, began, seed });
  if (saved !== undefined) load(saved, state);
  const implementation = {
    blocks: blocks(state),
    accounts: accounts(state),
    vars: vars(state),
    locations: locations(state),
  } satisfies CompleteImplementation<typeof tables>;
  const served = serveTables(tables, implementation, {
    prefix: "/ledger",
    reject: () => ledgerError(400),
    notFound: () => ledgerError(404),
    layers: [...around, needUserAgent, throttle(requestsPerMinute, clock, windows)],
  });
  const limits = { windows, perMinute: { requests: requestsPerMinute } };
  return { ...served, ...limits, state, save: () => save(state, windows) };
}

function save({ expired, cursorLifetime, loops }: LedgerState, windows: RateWindows): SavedLedger {
  return {
    epoch: expired.epoch,
    cursorLifetime: cursorLifetime === Infinity ? null : cursorLifetime,
    loops: [...loops],
    windows: saveWindows(windows),
  };
}

function load(saved: SavedLedger, state: LedgerState): void {
  state.expired.epoch = saved.epoch;
  state.cursorLifetime = saved.cursorLifetime ?? Infinity;
  state.loops.clear();
  for (const row of saved.loops) state.loops.add(row);
}

function createLedgerState(
  {
    height = 1_000_000,
    blockInterval: interval = DEFAULT_INTERVAL,
    accounts: count = 10_000,
    hotspots = 3,
    rewardsPerWeek = 5_000,
    emptyPages = 0.1,
    cursorLifetime = Infinity,
    expiringLists = "spec",
    expiredText = "Bad Request",
    loops = [],
    filtersInCursor = true,
    times,
    records,
    buckets,
    mostRich,
  }: LedgerOptions & Pick<LedgerState, "times" | "records" | "buckets" | "mostRich">,
  { clock, began, seed }: { clock: Clock; began: number; seed: number | string },
): LedgerState {
  const chain = createChain(seed, { height, interval, start: began });
  const expired = { epoch: 0 };
  return {
    chain,
    clock,
    firstHeight: height,
    accounts: count,
    hotspots,
    rewardsPerWeek,
    times,
    records,
    buckets,
    mostRich,
    emptyPages,
    cursorLifetime,
    expiringLists,
    expiredText,
    loops: new Set(loops),
    filtersInCursor,
    expired,
    get height() {
      return chain.heightAt(clock.now());
    },
    expireCursors: () => void expired.epoch++,
  };
}

/** The layer that requires a User-Agent. */
const needUserAgent: Layer = (next) => {
  // A browser adds this header when it sends a request, and its Request never has it.
  const isHidden = !hasUserAgent(new Request(ANY_URL, { headers: { "user-agent": "any" } }));
  return async (call) => (isHidden || hasUserAgent(call.request) ? next(call) : rejectedByEdge());
};

const ANY_URL = "http://127.0.0.1/";

function hasUserAgent({ headers }: Request): boolean {
  return (headers.get("user-agent") ?? "") !== "";
}

/** The layer that responds with 429 and the time to wait after too many requests within a minute. */
function throttle(perMinute: number, clock: Clock, windows?: RateWindows): Layer {
  const countRequest = countPerMinute(clock, windows);
  return (next) => async (call) => {
    const { count, left } = countRequest("all");
    return count > perMinute ? tooBusy(left) : next(call);
  };
}
