import * as tables from "@fieldmesh/ledger-client/endpoints";
import type { Clock } from "@fieldmesh/core";
import type { Layer } from "../serve/call.ts";
import type { RateWindows } from "../serve/rate-limit.ts";
import { type CompleteImplementation, type ServedService, serveTables } from "../serve/serve.ts";
import { switchesOf } from "../serve/deployment.ts";
import { loadWindows, saveWindows } from "../saved/saved.ts";
import type { SavedLedger } from "../saved/snapshot-schema.ts";
import { accounts } from "./accounts.ts";
import { blocks } from "./blocks.ts";
import { createChain, DEFAULT_INTERVAL } from "./chain.ts";
import { needUserAgent, throttle } from "./layers.ts";
import { type LedgerOptions, type LedgerState, ledgerPresets } from "./ledger-state.ts";
import { ledgerError } from "./errors.ts";
import { locations, vars } from "./vars-and-locations.ts";

const PREFIX = "/ledger";
const DEFAULT_HEIGHT = 1_000_000;
const DEFAULT_ACCOUNTS = 10_000;
const DEFAULT_HOTSPOTS = 3;
const DEFAULT_EMPTY_PAGES = 0.1;
const DEFAULT_REWARDS = 5_000;

/** The ledger of a sandbox. */
export type ServedLedger = ServedService<LedgerState, SavedLedger>;

interface LedgerSetting {
  readonly clock: Clock;
  /** The time at which the chain had the height of the options. A reset does not change it. */
  readonly began: number;
  readonly seed: number | string;
  readonly around: readonly Layer[];
  readonly saved: SavedLedger | undefined;
}

/** Creates the ledger. `around` are the layers of the sandbox, which run before the layers of the ledger. */
export function serveLedger(
  options: LedgerOptions,
  { clock, began, seed, around, saved }: LedgerSetting,
): ServedLedger {
  const state = createLedgerState(options, { clock, began, seed });
  const windows: RateWindows = new Map();
  if (saved !== undefined) load(saved, state, windows);
  const implementation = {
    blocks: blocks(state),
    accounts: accounts(state),
    vars: vars(state),
    locations: locations(state),
  } satisfies CompleteImplementation<typeof tables>;
  const { requestsPerMinute } = switchesOf(ledgerPresets, options);
  const own = [needUserAgent, throttle(requestsPerMinute, clock, windows)];
  const { handler, repeat } = serveTables(tables, implementation, {
    prefix: PREFIX,
    reject: () => ledgerError(400),
    notFound: () => ledgerError(404),
    layers: [...around, ...own],
  });
  return { prefix: PREFIX, state, handler, repeat, save: () => save(state, windows) };
}

function save({ expired, cursorLifetime, loops }: LedgerState, windows: RateWindows): SavedLedger {
  return {
    epoch: expired.epoch,
    cursorLifetime: cursorLifetime === Infinity ? null : cursorLifetime,
    loops: [...loops],
    windows: saveWindows(windows),
  };
}

function load(saved: SavedLedger, state: LedgerState, windows: RateWindows): void {
  state.expired.epoch = saved.epoch;
  state.cursorLifetime = saved.cursorLifetime ?? Infinity;
  state.loops.clear();
  for (const row of saved.loops) state.loops.add(row);
  loadWindows(windows, saved.windows);
}

function createLedgerState(
  options: LedgerOptions,
  { clock, began, seed }: Pick<LedgerSetting, "clock" | "began" | "seed">,
): LedgerState {
  const { blockInterval: interval = DEFAULT_INTERVAL, height = DEFAULT_HEIGHT } = options;
  const counts = {
    accounts: options.accounts ?? DEFAULT_ACCOUNTS,
    hotspots: options.hotspots ?? DEFAULT_HOTSPOTS,
  };
  const { rewardsPerWeek = DEFAULT_REWARDS } = options;
  const { times, buckets, mostRich } = switchesOf(ledgerPresets, options);
  const chain = createChain(seed, { height, interval, start: began });
  const expired = { epoch: 0 };
  return {
    chain,
    clock,
    firstHeight: height,
    ...counts,
    rewardsPerWeek,
    times,
    buckets,
    mostRich,
    emptyPages: options.emptyPages ?? DEFAULT_EMPTY_PAGES,
    cursorLifetime: options.cursorLifetime ?? Infinity,
    expiringLists: options.expiringLists ?? "spec",
    expiredText: options.expiredText ?? "Bad Request",
    loops: new Set(options.loops),
    filtersInCursor: options.filtersInCursor ?? true,
    expired,
    get height() {
      return chain.heightAt(clock.now());
    },
    expireCursors: () => void expired.epoch++,
  };
}
