import { isStore } from "../stores/is-store.ts";
import {
  checkOptionNames,
  checkValidation,
  describeNumber,
  describeValue,
  requireOptions,
  hasMethod,
} from "@fieldmesh/core";
import type { AnyEventMap } from "../router/event-handlers.ts";
import { checkOrder } from "./ask-order.ts";
import { isTenantSecrets } from "./tenants.ts";
import { checkPoison } from "./poison.ts";
import type { ReceiverOptions } from "./receiver-options.ts";

const NAMES: Readonly<Record<keyof ReceiverOptions, true>> = {
  secret: true,
  secrets: true,
  scheme: true,
  tolerance: true,
  store: true,
  order: true,
  lease: true,
  clock: true,
  poison: true,
  handlers: true,
  parse: true,
  validation: true,
  onDrift: true,
  expectLivemode: true,
  maxBytes: true,
  onOutcome: true,
  logger: true,
  onError: true,
};

/** Throws a TypeError for invalid options. The verifier and the router check their own options. */
export function checkReceiverOptions<Events extends AnyEventMap>(
  options: Partial<ReceiverOptions<Events>>,
): void {
  requireOptions("createReceiver", options, "{ secret, store, handlers }");
  checkOptionNames("A receiver", options, Object.keys(NAMES));
  const { store, order, handlers, validation, expectLivemode, maxBytes = 1, lease = 1 } = options;
  if (validation !== undefined) checkValidation(validation);
  if (store === undefined)
    throw new TypeError(
      "A receiver needs a store: memoryStore() for one process, one of @fieldmesh/webhook-types/stores for several, or noStore() if an event may be handled twice.",
    );
  if (!isStore(store))
    throw new TypeError(
      `store is ${describeValue(store)}, which is neither an IdempotencyStore nor an Inbox. Pass memoryStore(), postgresInbox(pool) or redisStore(client).`,
    );
  if (order !== undefined) checkOrder(order, store);
  if (isTenantSecrets(options.secret) && options.secrets !== undefined)
    throw new TypeError("Pass either secret: { tenantOf, secretsOf } or secrets, not both.");
  if (handlers === undefined)
    throw new TypeError("A receiver requires handlers by type, as createEventRouter does.");
  if (options.poison !== undefined) checkPoison(options.poison);
  for (const name of ["parse", "onDrift", "onOutcome", "onError"] as const)
    if (options[name] !== undefined && typeof options[name] !== "function")
      throw new TypeError(`${name} must be a function, or omitted.`);
  for (const level of ["debug", "warn", "error"] as const)
    if (options.logger !== undefined && !hasMethod(options.logger, level))
      throw new TypeError(
        `logger requires the methods debug, warn and error, like console. It has no ${level}.`,
      );
  if (typeof expectLivemode !== "boolean" && expectLivemode !== undefined)
    throw new TypeError("expectLivemode must be true or false, or omitted, not a string.");
  if (typeof maxBytes !== "number" || !(maxBytes > 0))
    throw new TypeError(
      `maxBytes must be a number of bytes, 1 or more; it is ${describeNumber(maxBytes)}.`,
    );
  if (typeof lease !== "number" || !(lease > 0 && Number.isFinite(lease)))
    throw new TypeError(
      `lease must be a number of milliseconds, 1 or more; it is ${describeNumber(lease)}.`,
    );
}
