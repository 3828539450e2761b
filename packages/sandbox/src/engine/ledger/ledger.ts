import * as tables from "@fieldmesh/ledger-client/endpoints";
import type { Clock } from "@fieldmesh/core";
import type { Layer } from "../call.ts";
import { type CompleteImplementation, type Handler, serve } from "../serve.ts";
import { accounts } from "./accounts.ts";
import { blocks } from "./blocks.ts";
import { createChain, DEFAULT_INTERVAL } from "./chain.ts";
import { needUserAgent, throttle } from "./layers.ts";
import type { LedgerOptions, LedgerState } from "./ledger-state.ts";
import { ledgerError } from "./errors.ts";
import { locations, vars } from "./vars-and-locations.ts";

const PREFIX = "/ledger";
const DEFAULT_HEIGHT = 1_000_000;
const DEFAULT_ACCOUNTS = 10_000;
const DEFAULT_HOTSPOTS = 3;
const DEFAULT_EMPTY_PAGES = 0.1;

/** A ledger that is ready to respond. */
export interface ServedLedger {
  /** The path under which it is reached. */
  readonly prefix: string;
  readonly state: LedgerState;
  readonly handler: Handler;
}

interface LedgerSetting {
  readonly clock: Clock;
  /** When the chain had the height of the options; a reset does not move it. */
  readonly began: number;
  readonly seed: number | string;
  readonly around: readonly Layer[];
}

/** Puts the ledger together; `around` are the layers of the sandbox, which run before the ledger's own. */
export function serveLedger(
  options: LedgerOptions,
  { clock, began, seed, around }: LedgerSetting,
): ServedLedger {
  const state = createLedgerState(options, { clock, began, seed });
  const implementation = {
    blocks: blocks(state),
    accounts: accounts(state),
    vars: vars(state),
    locations: locations(state),
  } satisfies CompleteImplementation<typeof tables>;
  const own = [needUserAgent, throttle(options.requestsPerMinute ?? Infinity, clock)];
  const handler = serve(tables, implementation, {
    prefix: PREFIX,
    reject: () => ledgerError(400),
    layers: [...around, ...own],
  });
  return { prefix: PREFIX, state, handler };
}

function createLedgerState(
  options: LedgerOptions,
  { clock, began, seed }: Omit<LedgerSetting, "around">,
): LedgerState {
  const { blockInterval: interval = DEFAULT_INTERVAL, height = DEFAULT_HEIGHT } = options;
  if (!(interval > 0)) throw new TypeError("blockInterval must be more than 0 milliseconds.");
  const chain = createChain(seed, { height, interval, start: began });
  const expired = { epoch: 0 };
  return {
    chain,
    clock,
    firstHeight: height,
    accounts: options.accounts ?? DEFAULT_ACCOUNTS,
    hotspots: options.hotspots ?? DEFAULT_HOTSPOTS,
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
