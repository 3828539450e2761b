import type { Clock } from "@fieldmesh/core";
import { oneOf, trueOrFalse, wholeNumber, options } from "@fieldmesh/core/internal";
import { aNumber, anInterval, must } from "../checks.ts";
import { aDeployment, type Deployment, type Presets } from "../serve/deployment.ts";
import type { Chain } from "./chain.ts";

/** The differences between deployments of the ledger, and settings for tests. */
export interface LedgerOptions {
  /**
   * The server that the ledger plays: that of the published spec, or a hosted deployment (observed). `"hosted"` sets `times` to
   * `"observed"`, `records` to `"full"`, `buckets` to `"time"`, `mostRich` to 100 and `requestsPerMinute` to 100.
   *
   * @default "spec"
   */
  deployment?: Deployment | undefined;
  /** The number of blocks at the start. Each is computed on request. @default 1_000_000 */
  height?: number | undefined;
  /** Milliseconds of the sandbox's clock between two blocks. `Infinity` for a chain that does not grow. @default 60_000 */
  blockInterval?: number | undefined;
  /** The number of known accounts. @default 10_000 */
  accounts?: number | undefined;
  /** The number of hotspots that each account owns. @default 3 */
  hotspots?: number | undefined;
  /**
   * The share of pages with empty pages before them, from 0 to 1: up to three in a row, each with a cursor. It does not apply to
   * the list of blocks, which begins with an empty page whenever the height is a multiple of 100.
   *
   * @default 0.1
   */
  emptyPages?: number | undefined;
  /** Milliseconds of the sandbox's clock after which a cursor expires. @default Infinity */
  cursorLifetime?: number | undefined;
  /** Which lists have cursors that expire: the two of the spec, or all. @default "spec" */
  expiringLists?: "spec" | "all" | undefined;
  /** The message for an expired cursor: that of newer or of older deployments. @default "Bad Request" */
  expiredText?: "Bad Request" | "Cursor Expired" | undefined;
  /** Rows whose second page endlessly leads to itself, such as `accounts.list`. @default none */
  loops?: readonly string[] | undefined;
  /**
   * Whether a cursor contains the filters of the first page. With `false`, each page reads them from its own request.
   *
   * @default true
   */
  filtersInCursor?: boolean | undefined;
  /**
   * The times that the ledger reads. `"spec"` reads `now`, relative times from `-1 second` to `-2 years`, and all forms of ISO 8601.
   * `"observed"` reads `now`, hours, days and weeks in the singular, and full dates, cuts them to the minute, and requires one
   * of the two times of a list of rewards.
   *
   * @default "spec"
   */
  times?: "spec" | "observed" | undefined;
  /**
   * `"full"` adds the fields that running deployments have beyond the spec (observed): `meta` next to a height and a sum of rewards,
   * and `request_block_hash` in `poc_receipts_v1`.
   *
   * @default "spec"
   */
  records?: "spec" | "full" | undefined;
  /** What a sum of rewards with `bucket` is grouped by: hotspot and time, or time alone (observed). @default "hotspot" */
  buckets?: "hotspot" | "time" | undefined;
  /** The most accounts that the list of the richest returns. Newer deployments return 100 (observed). @default 1_000 */
  mostRich?: number | undefined;
  /**
   * The most rewards of an account in a week of blocks, one a minute. If it has more hotspots, they earn in turn.
   *
   * @default 5_000
   */
  rewardsPerWeek?: number | undefined;
  /**
   * The requests per minute that an address may send. A hosted deployment allows 100 (observed). Any number
   * is allowed without `deployment: "hosted"`, because a virtual clock does not move by itself.
   *
   * @default Infinity
   */
  requestsPerMinute?: number | undefined;
}

export const checkLedger = /* @__PURE__ */ options<LedgerOptions>("ledger", {
  deployment: aDeployment,
  times: /* @__PURE__ */ oneOf("spec", "observed"),
  records: /* @__PURE__ */ oneOf("spec", "full"),
  buckets: /* @__PURE__ */ oneOf("hotspot", "time"),
  mostRich: /* @__PURE__ */ wholeNumber(1),
  rewardsPerWeek: /* @__PURE__ */ aNumber(0),
  height: /* @__PURE__ */ wholeNumber(0),
  blockInterval: anInterval,
  accounts: /* @__PURE__ */ wholeNumber(0),
  hotspots: /* @__PURE__ */ wholeNumber(0),
  emptyPages: /* @__PURE__ */ aNumber(0, 1),
  cursorLifetime: /* @__PURE__ */ aNumber(0),
  expiringLists: /* @__PURE__ */ oneOf("spec", "all"),
  expiredText: /* @__PURE__ */ oneOf("Bad Request", "Cursor Expired"),
  loops: /* @__PURE__ */ must(
    "an array of strings",
    (value) => Array.isArray(value) && value.every((row) => typeof row === "string"),
  ),
  filtersInCursor: trueOrFalse,
  requestsPerMinute: /* @__PURE__ */ aNumber(0),
});

/** The switches of the ledger that its deployments differ in. */
export type LedgerSwitches = Required<{
  [Name in "times" | "records" | "buckets" | "mostRich" | "requestsPerMinute"]: NonNullable<
    LedgerOptions[Name]
  >;
}>;

/** The ledger of the published spec, and that of a hosted deployment (observed). */
export const ledgerPresets: Presets<LedgerSwitches> = {
  spec: {
    times: "spec",
    records: "spec",
    buckets: "hotspot",
    mostRich: 1_000,
    requestsPerMinute: Infinity,
  },
  hosted: {
    times: "observed",
    records: "full",
    buckets: "time",
    mostRich: 100,
    requestsPerMinute: 100,
  },
};

/** The data of the ledger. Tests may change what is not readonly. */
export interface LedgerState {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly accounts: number;
  readonly hotspots: number;
  readonly rewardsPerWeek: number;
  readonly times: "spec" | "observed";
  readonly records: "spec" | "full";
  readonly buckets: "hotspot" | "time";
  readonly mostRich: number;
  readonly emptyPages: number;
  /** The height at the start. */
  readonly firstHeight: number;
  cursorLifetime: number;
  readonly expiringLists: "spec" | "all";
  readonly expiredText: string;
  readonly loops: Set<string>;
  readonly filtersInCursor: boolean;
  /** Every cursor that was created before this time and number has expired. */
  readonly expired: { epoch: number };
  /** The current height, by the clock. */
  readonly height: number;
  /** Expires all cursors that were created so far. */
  expireCursors(): void;
}
