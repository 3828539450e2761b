import { hashText } from "@fieldmesh/core/internal";
import * as tables from "@fieldmesh/mobile-client/endpoints";
import { currentEventTypes, type EventType } from "@fieldmesh/webhook-types";
import type { Call } from "../serve/call.ts";
import { createRandom } from "../random.ts";
import {
  type CompleteImplementation,
  type ServedService,
  type ServiceSetting,
  serveTables,
} from "../serve/serve.ts";
import { switchesOf } from "../serve/deployment.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import {
  createEventCursors,
  type MobileOptions,
  mobilePresets,
  type MobileState,
  loadMobile,
  type SavedMobile,
  saveMobile,
} from "./mobile-state.ts";
import { checkBearer, keepBudgets, rememberKeys, type RememberedCalls, problem } from "./layers.ts";
import { hasRole, type KeyRole, withoutPersonalData } from "../webhooks/roles.ts";

export interface ServedMobile extends ServedService<MobileState, SavedMobile> {
  readonly apiKey: string;
  readonly liveApiKey: string;
  /** The keys of the sandbox environment, by role. `sk` is `apiKey`. */
  readonly keys: Readonly<Record<KeyRole, string>>;
}

const MONTH = 30 * 24 * 3_600_000;

export function serveMobile(
  options: MobileOptions,
  setting: ServiceSetting<SavedMobile> & { readonly webhooks: () => Webhooks },
): ServedMobile {
  const { clock, seed, around, windows, webhooks, saved } = setting;
  const { reads = 600, writes = 120 } = options.budgets ?? {};
  const { pageSize = 100, personalDataFor = ["sk"], fraudScreening = false } = options;
  const { eventOrder = "oldest_first" } = options;
  const { inputs } = switchesOf(mobilePresets, options);
  const random = createRandom(seed, "mobile");
  const newId = (prefix: string): string => `${prefix}_${ids.hex(14).toLowerCase()}`;
  const apiKey = `sk_sandbox_${random.hex(24).toLowerCase()}`;
  const liveApiKey = `sk_live_${random.hex(24).toLowerCase()}`;
  // The ids continue the sequence of the keys.
  const ids = createRandom(seed, "mobile", saved?.ids ?? random.position());
  const others = createRandom(seed, "mobile keys");
  const keys = {
    pk: `pk_sandbox_${others.hex(24).toLowerCase()}`,
    rk: `rk_sandbox_${others.hex(24).toLowerCase()}`,
    sk: apiKey,
  };
  const state: MobileState = {
    subscribers: new Map(),
    subscriptions: new Map(),
    keys: new Map([
      ...Object.values(keys).map((key) => [key, "sandbox"] as const),
      [liveApiKey, "live"],
    ]),
  };
  const remembered: RememberedCalls = new Map();
  if (saved !== undefined) loadMobile(saved, { state, remembered });
  const cursors = {
    sandbox: createEventCursors(seed, "sandbox"),
    live: createEventCursors(seed, "live"),
  };
  const keyOf = ({ request }: Call): string =>
    (request.headers.get("authorization") ?? "").slice("Bearer ".length);
  const isLive = (call: Call): boolean => state.keys.get(keyOf(call)) === "live";
  const emit = (type: EventType, object: object, call: Call): void =>
    void webhooks().emit(type, { object }, { livemode: isLive(call) });
  const decision = { decision: "allow", score: 0.1, reasons: [], mode: "monitor" };
  const screen = (subject: unknown, call: Call): typeof decision => {
    if (fraudScreening) emit("fraud.evaluated", { ...decision, subject }, call);
    return decision;
  };
  /** Returns a record of the key's environment. A record of the other environment is not found. */
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
      create: (input, call) => {
        const subscriber = {
          ...input,
          id: newId("sub"),
          livemode: isLive(call),
          locked_status: "unlocked",
          created_at: new Date(clock.now()).toISOString(),
        };
        state.subscribers.set(subscriber.id, subscriber);
        emit("subscriber.created", subscriber, call);
        const { email = null, phone = null } = input;
        screen({ email, phone }, call);
        return subscriber as never;
      },
      get: ({ id }, call) => {
        const subscriber = find(state.subscribers, id, call);
        if (subscriber === undefined) return problem(404, "not_found");
        const isSeen = hasRole(keyOf(call), personalDataFor);
        return (isSeen ? subscriber : withoutPersonalData(subscriber)) as never;
      },
      delete: ({ id }, call) => {
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
      create: (input, call) => {
        if (find(state.subscribers, input.subscriber_id ?? "", call) === undefined) {
          const missing = { path: "/subscriber_id", code: "not_found" };
          return problem(422, "validation_failed", {
            errors: [{ ...missing, message: "No such subscriber." }],
          });
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
      renewal: ({ id }, call) => {
        const subscription = find(state.subscriptions, id, call);
        if (subscription === undefined) return problem(404, "not_found");
        const renews_at = new Date(clock.now() + MONTH).toISOString();
        return { id: newId("rnw"), subscription_id: id, renews_at, amount_cents: 2_500 };
      },
    },
    balanceCredits: {
      create: ({ id, ...credit }, call) => {
        if (find(state.subscribers, id, call) === undefined) return problem(404, "not_found");
        const issued = { ...credit, id: newId("cred"), subscriber_id: id, kind: "operator" };
        emit("balance.credited", issued, call);
        return issued;
      },
    },
    fraudDecisions: {
      // The contract does not show the request: without a subject, all of it is screened.
      create: (input, call) => screen(input.subject ?? input, call),
    },
    events: {
      list: ({ cursor }, call) => {
        const created = webhooks()
          .events()
          .filter(({ livemode }) => livemode === isLive(call));
        const all = inOrder(created, eventOrder);
        const own = cursors[isLive(call) ? "live" : "sandbox"];
        const offset = cursor === undefined ? 0 : own.read(cursor);
        if (offset === undefined || offset > all.length) return problem(400, "invalid_cursor");
        const end = offset + pageSize;
        const next = end < all.length ? { cursor: own.write(end) } : {};
        return { data: all.slice(offset, end) as never, ...next };
      },
    },
  } satisfies CompleteImplementation<typeof tables>;
  const served = serveTables(tables, implementation, {
    prefix: "/mobile",
    rules: inputs,
    reject: (misfits) =>
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
      keepBudgets({ reads, writes }, clock, windows),
      rememberKeys(clock, remembered),
    ],
  });
  const save = () => saveMobile({ state, ids, windows, remembered });
  const limits = { windows, perMinute: { reads, writes } };
  return { ...served, ...limits, state, save, apiKey, liveApiKey, keys };
}

/** Puts events, which are oldest first, in the order of a list. An event keeps its place in a list without an order. */
function inOrder<Event extends { readonly id: string }>(
  events: readonly Event[],
  order: NonNullable<MobileOptions["eventOrder"]>,
): readonly Event[] {
  if (order === "oldest_first") return events;
  if (order === "newest_first") return events.toReversed();
  return events
    .map((event) => ({ event, place: hashText(event.id) }))
    .toSorted((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ event }) => event);
}
