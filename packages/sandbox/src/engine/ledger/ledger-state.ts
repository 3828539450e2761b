import type { Clock } from "@fieldmesh/core";
import type { Chain } from "./chain.ts";

/** What differs between deployments of the ledger, and what a test may ask for. */
export interface LedgerOptions {
  /** Blocks that the chain has at the start; they are worked out when asked for. @default 1_000_000 */
  height?: number | undefined;
  /** Milliseconds of the sandbox's clock between two blocks; `Infinity` for a chain that does not grow. @default 60_000 */
  blockInterval?: number | undefined;
  /** Accounts that are known. @default 10_000 */
  accounts?: number | undefined;
  /** Hotspots that every account owns. @default 3 */
  hotspots?: number | undefined;
  /**
   * How many pages have empty ones before them, from 0 to 1; up to three in a row, each with a cursor. The list of blocks
   * is spared: it begins with an empty page whenever the height is a multiple of 100.
   *
   * @default 0.1
   */
  emptyPages?: number | undefined;
  /** Milliseconds of the sandbox's clock after which a cursor expires. @default Infinity */
  cursorLifetime?: number | undefined;
  /** Which lists have cursors that expire: the two of the spec, or all. @default "spec" */
  expiringLists?: "spec" | "all" | undefined;
  /** How an expired cursor is rejected: the message of newer or of older deployments. @default "Bad Request" */
  expiredText?: "Bad Request" | "Cursor Expired" | undefined;
  /** Rows whose second page leads to itself without end, such as `accounts.list`. @default none */
  loops?: readonly string[] | undefined;
  /**
   * Whether a cursor holds the filters of the first page. With `false`, each page reads them from its own request.
   *
   * @default true
   */
  filtersInCursor?: boolean | undefined;
  /** Requests that an address may send within a minute; 100 were observed. @default Infinity */
  requestsPerMinute?: number | undefined;
}

/** What the ledger holds. Tests may change what is not readonly. */
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
  /** Every cursor that was given before this time and number is expired. */
  readonly expired: { epoch: number };
  /** The height at the clock's time. */
  readonly height: number;
  /** Lets every cursor that was given until now expire. */
  expireCursors(): void;
}
