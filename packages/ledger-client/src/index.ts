export { createLedgerClient, type LedgerClient, type LedgerClientOptions } from "./client.ts";

export type { Blocks } from "./blocks.ts";
export type { Block, BlockHeight, BlockStats } from "./block.ts";
export type { BlockFollower, FollowOptions } from "./follow.ts";
export type { Accounts } from "./accounts.ts";
export {
  nextNonce,
  type Account,
  type AccountStats,
  type Election,
  type FoundAccount,
  type Oui,
} from "./account.ts";
export type { Hotspot } from "./hotspot.ts";
export type { PendingTransaction } from "./pending-transaction.ts";
export type { Reward, RewardsSum } from "./reward.ts";
export type { Vars } from "./vars.ts";
export type { Locations } from "./locations.ts";
export type { Location } from "./location.ts";
export {
  isKnownTransaction,
  type KnownTransaction,
  type OtherTransaction,
  type PocPathEntry,
  type PocReceipts,
  type PocRequest,
  type Receipt,
  type Transaction,
  type Witness,
} from "./transaction.ts";
export type { ParallelWalk, TimedMethods, TimedPager } from "./parallel/timed-pager.ts";
export type { ParallelOptions } from "./parallel/options.ts";
export type { Mark, ParallelCheckpoint, PartCheckpoint } from "./parallel/checkpoint.ts";
export { ago, type LedgerTime, type RelativeTime, type TimeUnit } from "./time.ts";
export { formatBones, parseBones } from "./bones.ts";

// Listed by hand nevertheless: the file behind this star names each export that the clients share.
export * from "@fieldmesh/http";
