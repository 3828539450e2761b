import * as z from "@fieldmesh/core/internal/zod";
import { count, oneOrMany } from "@fieldmesh/core/internal/schema";
import { data, endpoint, page } from "@fieldmesh/http/internal";
import { Account, AccountStats, Election, FoundAccount, Oui } from "./account.ts";
import { addressInput, commaSeparated, cursor, expiringErrors, pagedErrors } from "./fields.ts";
import { Hotspot } from "./hotspot.ts";
import type { TimedMethods } from "./parallel/timed-pager.ts";
import { PendingTransaction } from "./pending-transaction.ts";
import { Reward, RewardsSum } from "./reward.ts";
import { readTime, timeInput } from "./time.ts";
import { Transaction } from "./transaction.ts";

/** The maximum number of accounts that `rich` returns, and its default. */
const MAX_RICH = 1_000;

const path = {
  /** The address of the account: base58, which has no 0, O, I or l. */
  address: addressInput,
};
/** The spec lists no time parameters for these lists, so a caller must name them to split a list. */
const parts = { field: "time", readTime };
const badFilter = { ...pagedErrors, 404: "A time or a filter was not accepted" };
const badTime = {
  400: "A time was not accepted; if the request carried a cursor, it may have expired",
};

/** The endpoints of accounts, one row for each. The client makes the methods of `client.accounts` from them. */
export const accounts = {
  /**
   * List all known accounts. The cursors of this list expire: see `onCursorExpired`.
   *
   * @throws An {@link ApiError} with 400: The request was not accepted; if it carried a cursor, the cursor has expired
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * for await (const account of client.accounts.list().take(500)) console.log(account.address, account.balance);
   * ```
   */
  list: endpoint("GET /v1/accounts", {
    query: cursor,
    result: page(Account, { key: ["address"], cursorExpires: true }),
    open: true,
    errors: expiringErrors,
  }),

  /**
   * List the accounts with the highest balance in one response, highest first. Pass a `limit` of 1 to 1,000; the default is
   * 1,000. Later versions of the service return at most 100 accounts (observed).
   *
   * @throws A {@link CallError} if the call fails
   * @example
   * ```ts
   * const top = await client.accounts.rich({ limit: 10 });
   * ```
   */
  rich: endpoint("GET /v1/accounts/rich", {
    query: {
      /** The maximum number of accounts: 1 to 1,000. @default 1_000 */
      limit: z.optional(
        z
          .int("must be a whole number")
          .check(z.gte(1, "must be from 1 to 1000"), z.lte(MAX_RICH, "must be from 1 to 1000")),
      ),
    },
    result: data(z.array(Account)),
    open: true,
  }),

  /**
   * Get an account. An address without an account is not an error: its record has zeros and `block: null` (observed). A new
   * payment uses `speculative_nonce` plus 1 as its nonce: see {@link nextNonce}.
   *
   * @throws An {@link ApiError} with 404: Account not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const account = await client.accounts.get({ address });
   * console.log(formatBones(account.balance ?? 0n), nextNonce(account));
   * ```
   */
  get: endpoint("GET /v1/accounts/:address", {
    path,
    result: data(FoundAccount),
    open: true,
    errors: { 404: "Account not found" },
  }),

  /**
   * List the hotspots that an account owns. The cursors of this list expire: see `onCursorExpired`.
   *
   * @throws An {@link ApiError} with 400: The request was not accepted; if it carried a cursor, the cursor has expired
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * for await (const hotspot of client.accounts.hotspots({ address })) console.log(hotspot.name);
   * ```
   */
  hotspots: endpoint("GET /v1/accounts/:address/hotspots", {
    path,
    query: cursor,
    result: page(Hotspot, { key: ["address"], cursorExpires: true }),
    open: true,
    errors: expiringErrors,
  }),

  /**
   * List the OUIs that an account owns.
   *
   * @throws An {@link ApiError} with 400: The request was not accepted; if it carried a cursor, the cursor may have expired
   * (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * for await (const oui of client.accounts.ouis({ address })) console.log(oui.oui, oui.subnets);
   * ```
   */
  ouis: endpoint("GET /v1/accounts/:address/ouis", {
    path,
    query: cursor,
    result: page(Oui, { key: ["oui"] }),
    open: true,
    errors: pagedErrors,
  }),

  /**
   * List the transactions that an account took part in as payer, payee or owner.
   *
   * The published spec lists no filter. Pass any filter in the option `query`.
   *
   * @throws An {@link ApiError} with 400: The request was not accepted; if it carried a cursor, the cursor may have expired
   * (observed)
   * @throws An {@link ApiError} with 404: A time or a filter was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const payments = client.accounts.activity({ address }, { query: { filter_types: "payment_v1" } });
   * for await (const transaction of payments.take(20)) console.log(transaction.type, transaction.hash);
   * ```
   */
  activity: endpoint("GET /v1/accounts/:address/activity", {
    path,
    query: cursor,
    result: page(Transaction, { key: ["hash"], parts }),
    open: true,
    errors: badFilter,
  }),

  /**
   * Count the transactions of an account by type. Returns an object with the count for each type in `filter_types`: 0 if there
   * are none (observed).
   *
   * @throws An {@link ApiError} with 404: A filter was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const counts = await client.accounts.activityCount({ address, filter_types: ["payment_v1", "payment_v2"] });
   * console.log(counts["payment_v1"]);
   * ```
   */
  activityCount: endpoint("GET /v1/accounts/:address/activity/count", {
    path,
    query: {
      /** The transaction types to count, such as `payment_v2`: at least one. */
      filter_types: z.optional(commaSeparated()),
    },
    result: data(z.record(z.string(), count())),
    open: true,
    errors: { 404: "A filter was not accepted" },
  }),

  /**
   * List the elections that chose hotspots of an account.
   *
   * The published spec lists no filter. Pass any filter in the option `query`.
   *
   * @throws An {@link ApiError} with 400: The request was not accepted; if it carried a cursor, the cursor may have expired
   * (observed)
   * @throws An {@link ApiError} with 404: A time or a filter was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * for await (const election of client.accounts.elections({ address })) console.log(election.height);
   * ```
   */
  elections: endpoint("GET /v1/accounts/:address/elections", {
    path,
    query: cursor,
    result: page(Election, { key: ["hash"], parts }),
    open: true,
    errors: badFilter,
  }),

  /**
   * List the challenges in which hotspots of an account took part as challenger, challengee or witness.
   *
   * The published spec lists no filter. Pass any filter in the option `query`.
   *
   * @throws An {@link ApiError} with 400: The request was not accepted; if it carried a cursor, the cursor may have expired
   * (observed)
   * @throws An {@link ApiError} with 404: A time or a filter was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * for await (const challenge of client.accounts.challenges({ address }).take(10)) {
   *   if (isKnownTransaction(challenge)) console.log(challenge.challenger);
   * }
   * ```
   */
  challenges: endpoint("GET /v1/accounts/:address/challenges", {
    path,
    query: cursor,
    result: page(Transaction, { key: ["hash"], parts }),
    open: true,
    errors: badFilter,
  }),

  /**
   * List the outstanding transactions of an account.
   *
   * @throws An {@link ApiError} with 400: The request was not accepted; if it carried a cursor, the cursor may have expired
   * (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * for await (const pending of client.accounts.pendingTransactions({ address })) console.log(pending.hash, pending.status);
   * ```
   */
  pendingTransactions: endpoint("GET /v1/accounts/:address/pending_transactions", {
    path,
    query: cursor,
    result: page(PendingTransaction, { key: ["hash"] }),
    open: true,
    errors: pagedErrors,
  }),

  /**
   * List the rewards of an account in a timeframe, by block and gateway. The block that contains `max_time` is excluded.
   *
   * The spec requires neither of the two times. Running deployments require at least one, read an omitted one as now, and
   * count a relative `min_time` back from `max_time` (observed).
   * If a list has many pages, use absolute times: a relative time is sent again for each page, and the server may evaluate it again.
   *
   * @throws An {@link ApiError} with 400: A time was not accepted; if the request carried a cursor, it may have expired (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * let bones = 0n;
   * for await (const reward of client.accounts.rewards({ address, min_time: ago(1, "day") })) bones += reward.amount ?? 0n;
   * ```
   */
  rewards: endpoint("GET /v1/accounts/:address/rewards", {
    path,
    query: {
      ...cursor,
      /** The start: a Date, an ISO 8601 string or a relative time (see {@link ago}). If omitted, now (observed). */
      min_time: z.optional(timeInput),
      /** The end, in the same forms. If omitted, now (observed). The block that contains it is left out. */
      max_time: z.optional(timeInput),
    },
    result: page(Reward, {
      parts: { min: "min_time", max: "max_time", field: "timestamp", readTime },
    }),
    open: true,
    errors: badTime,
  }),

  /**
   * Sum the rewards of an account in a timeframe. Returns an array with one record or, with `bucket`, one record for
   * each hotspot and bucket.
   *
   * Both times are required. The block that contains `max_time` is excluded. Some deployments group by bucket only, newest first
   * (observed).
   *
   * @throws An {@link ApiError} with 400: A time was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const [total] = await client.accounts.rewardsSum({ address, min_time: ago(1, "week"), max_time: "now" });
   * console.log(formatBones(total?.sum ?? 0n));
   * ```
   */
  rewardsSum: endpoint("GET /v1/accounts/:address/rewards/sum", {
    path,
    query: {
      /** The start: a Date, an ISO 8601 string or a relative time (see {@link ago}). */
      min_time: timeInput,
      /** The end, in the same forms. The block that contains it is left out. */
      max_time: timeInput,
      /** The length of the buckets, if you want one sum for each bucket. */
      bucket: z.optional(z.literal(["hour", "day", "week"])),
    },
    result: data(oneOrMany(RewardsSum)),
    open: true,
    errors: { 400: "A time was not accepted" },
  }),

  /**
   * Get the balances of an account in bones. Returns them daily for the last month, every 8 hours for the last week and hourly
   * for the last day.
   *
   * @throws A {@link CallError} if the call fails
   * @example
   * ```ts
   * const { last_day } = await client.accounts.stats({ address });
   * console.log(last_day?.[0]?.balance);
   * ```
   */
  stats: endpoint("GET /v1/accounts/:address/stats", {
    path,
    result: data(AccountStats),
    open: true,
  }),
};

/** Accounts, and the records that belong to them. */
export interface Accounts extends TimedMethods<typeof accounts> {}
