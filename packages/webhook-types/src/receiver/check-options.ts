import {
  anything,
  check,
  checkValidation,
  describeNumber,
  describeValue,
  hasMethod,
  mistake,
  options,
  wholeNumber,
  type Check,
  type OptionTable,
} from "@fieldmesh/core/internal";
import type { EventMap } from "../events/webhook-event.ts";
import { isStore, type EventStore } from "../stores/idempotency-store.ts";
import type { ObjectOrder } from "../stores/object-order.ts";
import type { PoisonStore } from "../stores/poison-store.ts";
import type { PoisonOptions } from "./poison.ts";
import type {
  DeliveryOptions,
  HandlingOptions,
  ReceiverLogger,
  ReportOptions,
} from "./receiver-options.ts";

/** Creates the checks of the options about a delivery. The verifier checks its own. */
export const aboutDeliveries = (): OptionTable<DeliveryOptions> => ({
  secret: anything,
  secrets: anything,
  scheme: anything,
  tolerance: anything,
  expectLivemode: aboutLivemode,
  maxBytes: positive("bytes", Number.POSITIVE_INFINITY),
});

export const aboutLivemode = /* @__PURE__ */ check<boolean>(
  "true or false, or omitted",
  (value) => typeof value === "boolean",
);

/** Creates the checks of the options about an event. `who` needs a store and handlers, which the router checks. */
export const aboutEvents = (who: string): OptionTable<HandlingOptions<EventMap>> => ({
  store: {
    required: (store, name) => {
      if (store !== undefined) return aStore(store, name);
      throw mistake(
        `${who} needs a store: memoryStore() for one process, one of @fieldmesh/webhook-types/stores for several, or noStore() if an event may be handled twice.`,
      );
    },
  },
  order: anOrder,
  lease: positive("milliseconds", Number.MAX_VALUE),
  poison: (poison) => readPoison(poison),
  handlers: {
    required: (handlers) => {
      if (handlers !== undefined) return handlers as object;
      throw mistake(`${who} requires handlers by type, as createEventRouter does.`);
    },
  },
  parse: aCallback,
  validation: checkValidation,
  onDrift: aCallback,
});

/** The checks of the clock, and of the functions that only observe. */
export const aboutReports: OptionTable<ReportOptions> = {
  clock: anything,
  onOutcome: aCallback,
  logger: aLogger,
  onError: aCallback,
};

const aStore: Check<EventStore> = (store, name) =>
  checkKind(store, name, isStore(store), [
    "neither an IdempotencyStore nor an Inbox",
    "memoryStore(), postgresInbox(pool) or redisStore(client)",
  ]);

export const anOrder: Check<ObjectOrder> = (order, name) =>
  checkKind(order, name, hasMethod(order, "isOlder"), [
    "not an ObjectOrder",
    "memoryOrder(), postgresOrder(pool) or redisOrder(client)",
  ]);

const METHODS = ["fail", "setAside", "list", "get", "remove"];

export const readPoison = /* @__PURE__ */ options<PoisonOptions>(
  "poison",
  {
    store: {
      required: (store): PoisonStore =>
        checkKind(
          store,
          "store of poison",
          METHODS.every((name) => hasMethod(store, name)),
          ["not a PoisonStore", "memoryPoison(), sqlitePoison(database) or postgresPoison(pool)"],
        ),
    },
    attempts: (value) => wholeNumber(1)(value, "attempts of poison"),
    reload: (value) => aCallback(value, "reload of poison"),
  },
  "{ store: postgresPoison(pool), attempts: 5 }",
);

function checkKind(
  value: unknown,
  name: string,
  isRight: boolean,
  [kind, advice]: readonly [kind: string, advice: string],
): never {
  if (isRight) return value as never;
  throw mistake(`${name} is ${describeValue(value)}, which is ${kind}. Pass ${advice}.`);
}

export function positive(unit: string, most: number): Check<number> {
  return (value, name) => {
    if (typeof value === "number" && value > 0 && value <= most) return value;
    throw mistake(
      `${name} must be a number of ${unit}, 1 or more; it is ${describeNumber(value)}.`,
    );
  };
}

function aCallback(value: unknown, name: string): never {
  return check("a function, or omitted", (given) => typeof given === "function")(value, name);
}

function aLogger(logger: unknown): ReceiverLogger {
  const missing = ["debug", "warn", "error"].find((level) => !hasMethod(logger, level));
  if (missing === undefined) return logger as ReceiverLogger;
  throw mistake(
    `logger requires the methods debug, warn and error, like console. It has no ${missing}.`,
  );
}
