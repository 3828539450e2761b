import type { Clock } from "@fieldmesh/core";
import type { Chain } from "./chain.ts";

/** The differences between deployments of the ledger, and settings for tests. */
export interface LedgerOptions {
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
  /** The requests per minute that an address may send. 100 were observed. @default Infinity */
  requestsPerMinute?: number | undefined;
}

/** The data of the ledger. Tests may change what is not readonly. */
export interface LedgerState {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly accounts: number;
  readonly hotspots: number;
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
