import type { Clock } from "@fieldmesh/core";
import * as tables from "@fieldmesh/mobile-client/endpoints";
import { currentEventTypes } from "@fieldmesh/webhook-types";
import type { Call, Layer } from "../call.js";
import { createRandom } from "../random.js";
import { type Handler, serve } from "../serve.js";
import type { Webhooks } from "../webhooks/webhooks.js";
import { checkBearer, keepBudgets, rememberKeys, type Budgets, type KeyMode } from "./layers.js";
import { problem } from "./problem.js";

/** What differs between deployments of the mobile service, and what a test may ask for. */
export interface MobileOptions {
  /** Requests a minute for each key. @default 600 reads and 120 writes, as running deployments have */
  budgets?: Partial<Budgets> | undefined;
  /** Events on a page of `/events`. @default 100 */
  pageSize?: number | undefined;
}

/** A record with an id, which belongs to one environment. */
export interface MobileRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** What the mobile service holds, by id. Tests may change it. */
export interface MobileState {
  readonly subscribers: Map<string, MobileRecord & { readonly livemode: boolean }>;
  readonly subscriptions: Map<string, MobileRecord & { readonly livemode: boolean }>;
  /** Keys and what they open. */
  readonly keys: Map<string, KeyMode>;
}

/** A mobile service that is ready to answer. */
export interface ServedMobile {
  /** The path under which it is reached. */
  readonly prefix: string;
  readonly state: MobileState;
  readonly handler: Handler;
  readonly apiKey: string;
  readonly liveApiKey: string;
}

const PREFIX = "/mobile";
const USUAL: Budgets = { reads: 600, writes: 120 };
const PAGE = 100;
const MONTH = 30 * 24 * 3_600_000;

/** Puts the mobile service together; `around` are the layers of the sandbox, which stand outside of its own. */
export function serveMobile(
  { budgets, pageSize = PAGE }: MobileOptions,
  {
    clock,
    seed,
    around,
    webhooks,
  }: {
    readonly clock: Clock;
    readonly seed: number | string;
    readonly around: readonly Layer[];
    readonly webhooks: () => Webhooks;
  },
): ServedMobile {
  const random = createRandom(seed, "mobile");
  const newId = (prefix: string): string => `${prefix}_${random.hex(14).toLowerCase()}`;
  const apiKey = `sk_sandbox_${random.hex(24).toLowerCase()}`;
  const liveApiKey = `sk_live_${random.hex(24).toLowerCase()}`;
  const state: MobileState = {
    subscribers: new Map(),
    subscriptions: new Map(),
    keys: new Map([
      [apiKey, "sandbox"],
      [liveApiKey, "live"],
    ]),
  };
  const isLive = ({ request }: Call): boolean =>
    state.keys.get((request.headers.get("authorization") ?? "").slice("Bearer ".length)) === "live";
  const emit = (type: string, object: object, call: Call): void =>
    void webhooks().emit(type, { object }, { livemode: isLive(call) });
  /** A record of the key's own environment; one of the other is not there. */
  const find = <R extends { readonly livemode: boolean }>(
    records: ReadonlyMap<string, R>,
    id: string,
    call: Call,
  ): R | undefined => {
    const found = records.get(id);
    return found?.livemode === isLive(call) ? found : undefined;
  };

  const implementation = {
    eventTypes: { list: () => currentEventTypes.map((type) => ({ type })) },
    subscribers: {
      create: (input: object, call: Call) => {
        const subscriber = {
          ...input,
          id: newId("sub"),
          livemode: isLive(call),
          locked_status: "unlocked",
          created_at: new Date(clock.now()).toISOString(),
        };
        state.subscribers.set(subscriber.id, subscriber);
        emit("subscriber.created", subscriber, call);
        return subscriber as never;
      },
      get: ({ id }: { id: string }, call: Call) =>
        (find(state.subscribers, id, call) ?? problem(404, "not_found")) as never,
      delete: ({ id }: { id: string }, call: Call) => {
        const subscriber = find(state.subscribers, id, call);
        if (subscriber === undefined) return problem(404, "not_found");
        const isBilled = [...state.subscriptions.values()].some(
          (each) => each["subscriber_id"] === id,
        );
        if (isBilled) return problem(422, "subscriber_has_billing_history");
        state.subscribers.delete(id);
        emit("subscriber.deleted", subscriber, call);
        return { id };
      },
    },
    subscriptions: {
      create: (input: { subscriber_id: string }, call: Call) => {
        if (find(state.subscribers, input.subscriber_id, call) === undefined) {
          const error = {
            path: "/subscriber_id",
            code: "not_found",
            message: "No such subscriber.",
          };
          return problem(422, "validation_failed", { errors: [error] });
        }
        const subscription = {
          ...input,
          id: newId("subn"),
          livemode: isLive(call),
          status: "pending_activation",
        };
        state.subscriptions.set(subscription.id, subscription);
        emit("subscription.created", subscription, call);
        return subscription as never;
      },
      renewal: ({ id }: { id: string }, call: Call) => {
        const subscription = find(state.subscriptions, id, call);
        if (subscription === undefined) return problem(404, "not_found");
        const renews_at = new Date(clock.now() + MONTH).toISOString();
        return { id: newId("rnw"), subscription_id: id, renews_at, amount_cents: 2_500 };
      },
    },
    balanceCredits: {
      create: ({ id, ...credit }: { id: string }, call: Call) => {
        if (find(state.subscribers, id, call) === undefined) return problem(404, "not_found");
        const issued = { ...credit, id: newId("cred"), subscriber_id: id, kind: "operator" };
        emit("balance.credited", issued, call);
        return issued;
      },
    },
    fraudDecisions: {
      create: (input: object, call: Call) => {
        const decision = { decision: "allow", score: 0.1, reasons: [], mode: "monitor" };
        emit("fraud.evaluated", { ...decision, ...input }, call);
        return decision;
      },
    },
    events: {
      list: ({ cursor }: { cursor?: string }, call: Call) => {
        const all = webhooks()
          .events()
          .filter(({ livemode }) => livemode === isLive(call));
        const offset = Number(cursor ?? 0);
        if (!Number.isSafeInteger(offset) || offset > all.length)
          return problem(400, "invalid_cursor");
        const end = offset + pageSize;
        const next = end < all.length ? { cursor: String(end) } : {};
        return { data: all.slice(offset, end) as never, ...next };
      },
    },
  };
  const handler = serve(tables, implementation as never, {
    prefix: PREFIX,
    refuse: (misfits) =>
      problem(422, "validation_failed", {
        errors: misfits.map(({ path, issue }) => ({
          path: `/${path.map(String).join("/")}`,
          code: issue.code,
          message: "This field was not accepted.",
        })),
      }),
    layers: [
      ...around,
      checkBearer(state.keys),
      keepBudgets({ ...USUAL, ...budgets }, clock),
      rememberKeys(clock),
    ],
  });
  return { prefix: PREFIX, state, handler, apiKey, liveApiKey };
}
