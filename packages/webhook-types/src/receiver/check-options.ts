import { isStore } from "../stores/is-store.ts";
import {
  checkOptionNames,
  checkValidation,
  describeNumber,
  describeValue,
  requireOptions,
  hasMethod,
  mistake,
} from "@fieldmesh/core/internal";
import type { AnyEventMap } from "../router/event-handlers.ts";
import { checkOrder } from "./ask-order.ts";
import { isTenantSecrets } from "./tenants.ts";
import { checkPoison } from "./poison.ts";
import type { EventMap } from "../events/webhook-event.ts";
import type {
  DeliveryOptions,
  HandlingOptions,
  ReceiverOptions,
  ReportOptions,
} from "./receiver-options.ts";

/** The options of a receiver: about a delivery, about its event, and about reports. */
const DELIVERY: Readonly<Record<keyof DeliveryOptions, true>> = {
  secret: true,
  secrets: true,
  scheme: true,
  tolerance: true,
  expectLivemode: true,
  maxBytes: true,
};
const HANDLING: Readonly<Record<keyof HandlingOptions<EventMap>, true>> = {
  store: true,
  order: true,
  lease: true,
  poison: true,
  handlers: true,
  parse: true,
  validation: true,
  onDrift: true,
};
const REPORTS: Readonly<Record<keyof ReportOptions, true>> = {
  clock: true,
  onOutcome: true,
  logger: true,
  onError: true,
};

/** The names of the options about a delivery and its reports, for a receiver that puts them into a queue. */
export const deliveryNames: readonly string[] = Object.keys({ ...DELIVERY, ...REPORTS });
/** The names of the options about an event and its reports, for a worker. */
export const handlingNames: readonly string[] = Object.keys({ ...HANDLING, ...REPORTS });

const NAMES: Readonly<Record<keyof ReceiverOptions, true>> = {
  ...DELIVERY,
  ...HANDLING,
  ...REPORTS,
};

/** Throws a TypeError for invalid options. The verifier and the router check their own options. */
export function checkReceiverOptions<Events extends AnyEventMap>(
  options: Partial<ReceiverOptions<Events>>,
): void {
  requireOptions("createReceiver", options, "{ secret, store, handlers }");
  checkOptionNames("A receiver", options, Object.keys(NAMES));
  checkHandlingOptions("A receiver", options);
  checkDeliveryOptions(options);
  checkReportOptions(options);
}

/** Checks the options about an event. */
export function checkHandlingOptions<Events extends AnyEventMap>(
  owner: string,
  options: Partial<HandlingOptions<Events>>,
): void {
  const { store, order, handlers, validation, lease = 1, poison } = options;
  if (validation !== undefined) checkValidation(validation);
  if (store === undefined)
    throw mistake(
      `${owner} needs a store: memoryStore() for one process, one of @fieldmesh/webhook-types/stores for several, or noStore() if an event may be handled twice.`,
    );
  if (!isStore(store))
    throw mistake(
      `store is ${describeValue(store)}, which is neither an IdempotencyStore nor an Inbox. Pass memoryStore(), postgresInbox(pool) or redisStore(client).`,
    );
  if (order !== undefined) checkOrder(order, store);
  if (handlers === undefined)
    throw mistake(`${owner} requires handlers by type, as createEventRouter does.`);
  if (poison !== undefined) checkPoison(poison);
  checkFunctions(options, ["parse", "onDrift"]);
  if (typeof lease !== "number" || !(lease > 0 && Number.isFinite(lease)))
    throw mistake(
      `lease must be a number of milliseconds, 1 or more; it is ${describeNumber(lease)}.`,
    );
}

/** Checks the options about a delivery. */
export function checkDeliveryOptions(options: Partial<DeliveryOptions>): void {
  const { expectLivemode, maxBytes = 1 } = options;
  if (isTenantSecrets(options.secret) && options.secrets !== undefined)
    throw mistake("Pass either secret: { tenantOf, secretsOf } or secrets, not both.");
  if (typeof expectLivemode !== "boolean" && expectLivemode !== undefined)
    throw mistake("expectLivemode must be true or false, or omitted, not a string.");
  if (typeof maxBytes !== "number" || !(maxBytes > 0))
    throw mistake(
      `maxBytes must be a number of bytes, 1 or more; it is ${describeNumber(maxBytes)}.`,
    );
}

/** Checks the functions that only observe. */
export function checkReportOptions(options: Partial<ReportOptions>): void {
  checkFunctions(options, ["onOutcome", "onError"]);
  for (const level of ["debug", "warn", "error"] as const)
    if (options.logger !== undefined && !hasMethod(options.logger, level))
      throw mistake(
        `logger requires the methods debug, warn and error, like console. It has no ${level}.`,
      );
}

function checkFunctions<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
): void {
  for (const name of names)
    if (options[name] !== undefined && typeof options[name] !== "function")
      throw mistake(`${name} must be a function, or omitted.`);
}
