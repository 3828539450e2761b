import { requires, readInput } from "@fieldmesh/core/internal";
import { checkTexts } from "./validate-enabled-events.ts";
import type { EventType } from "../events/webhook-event.ts";
import { currentEventTypes, eventTypes } from "../events/event-types.ts";
import { secretFields } from "../events/generated/hidden-fields.ts";
import { didYouMean } from "../events/show-name.ts";
import { familyPatterns, isPattern, matches } from "../events/pattern.ts";

/** A rule about the events that a webhook endpoint subscribes to. */
export type SubscriptionRule =
  | "never_fires"
  | "no_handler"
  | "no_activation_code"
  | "same_money_twice";

/** A rule that a subscription breaks. */
export interface SubscriptionFinding {
  readonly rule: SubscriptionRule;
  /** The handler keys or the types that it concerns. */
  readonly subjects: readonly string[];
  readonly message: string;
}

/** Types whose `activation_code` is omitted for a webhook endpoint that subscribes to them only through `*`. */
const WITH_ACTIVATION_CODE: readonly string[] = Object.entries<readonly string[]>(secretFields)
  .filter(([, names]) => names.includes("activation_code"))
  .map(([type]) => type);
/** Both announce the credit of a referral. Others look similar but never do: see `balance.credited`. */
const SAME_MONEY: readonly EventType[] = ["referral.reward.fulfilled", "balance.credited"];

/**
 * Compares the `enabled_events` of a webhook endpoint with the handlers of a router, and returns likely mistakes:
 *
 * - `never_fires`: a handler for events that the endpoint does not receive;
 * - `no_handler`: subscribed types without a handler;
 * - `no_activation_code`: handlers of types whose events have no `activation_code`, because only `*` matches them;
 * - `same_money_twice`: `referral.reward.fulfilled` and `balance.credited` are both handled, and the credit of a referral emits
 *   both.
 *
 * @example
 * ```ts
 * for (const { rule, message } of lintSubscription(["*"], handlers)) console.warn(rule, message);
 * ```
 */
export function lintSubscription(
  enabledEvents: readonly string[],
  handlers: object | readonly string[],
): SubscriptionFinding[] {
  checkTexts("lintSubscription", enabledEvents);
  if (typeof handlers !== "object" || handlers === null)
    throw requires("lintSubscription", "handlers by type", handlers);
  const keys = readInput("The argument of lintSubscription", () => keysOf(handlers));
  const current = new Set<string>(currentEventTypes);
  const enabled = (type: string): boolean => enabledEvents.some((each) => matches(each, type));
  const subscribableTypes = [
    ...new Set<string>([...eventTypes, ...enabledEvents.filter((each) => !each.includes("*"))]),
  ];
  const handlersOf = (type: string): string[] =>
    keys.filter((key) => key !== "*" && matches(key, type));
  const hasCatchAll = keys.includes("*") || keys.includes("otherwise");
  // A pattern also matches future types, so with a pattern, the catch-alls may always run.
  const unhandled = subscribableTypes.filter(
    (type) => isSubscribed(type) && handlersOf(type).length === 0,
  );

  return [...neverFires(), ...noHandler(), ...noActivationCode(), ...sameMoneyTwice()];

  /** An earlier type counts only if it is named, because a family pattern does not include it. */
  function isSubscribed(type: string): boolean {
    return enabledEvents.includes(type) || (current.has(type) && enabled(type));
  }

  function neverFires(): SubscriptionFinding[] {
    const hasPattern = enabledEvents.some((each) => each.includes("*"));
    return keys
      .filter((key) => {
        if (key === "*") return enabledEvents.length === 0;
        if (key === "otherwise") return !hasPattern && unhandled.length === 0;
        return !subscribableTypes.some((type) => matches(key, type) && isSubscribed(type));
      })
      .map((key) => ({
        rule: "never_fires",
        subjects: [key],
        message: `The handler "${key}" never fires: the endpoint's enabled_events include nothing for it.${suggestionFor(key)}`,
      }));
  }

  function suggestionFor(key: string): string {
    if (isPattern(key) || key === "otherwise") return "";
    return didYouMean(key, [...subscribableTypes, ...familyPatterns(), "otherwise"]);
  }

  function noHandler(): SubscriptionFinding[] {
    if (hasCatchAll || unhandled.length === 0) return [];
    const message = `No handler matches ${summary(unhandled)}. Handle them, add "otherwise", or subscribe to fewer types.`;
    return [{ rule: "no_handler", subjects: unhandled, message }];
  }

  function noActivationCode(): SubscriptionFinding[] {
    const named = enabledEvents.filter((each) => each !== "*");
    const hidden = WITH_ACTIVATION_CODE.filter(
      (type) =>
        enabled(type) && !named.some((each) => matches(each, type)) && handlersOf(type).length > 0,
    );
    if (hidden.length === 0) return [];
    const message = `The endpoint receives ${summary(hidden)} without activation_code, because only "*" in enabled_events matches. Add each type by name, or add "sim.*".`;
    return [{ rule: "no_activation_code", subjects: hidden, message }];
  }

  function sameMoneyTwice(): SubscriptionFinding[] {
    if (!SAME_MONEY.every((type) => isSubscribed(type) && handlersOf(type).length > 0)) return [];
    const message = `${summary(SAME_MONEY)} announce the same money if the kind of the credit is referral: use only one of them for accounting.`;
    return [{ rule: "same_money_twice", subjects: SAME_MONEY, message }];
  }
}

function keysOf(handlers: object): readonly string[] {
  if (Array.isArray(handlers)) {
    checkTexts("lintSubscription", handlers);
    return handlers as string[];
  }
  return Object.entries(handlers).flatMap(([key, handler]) => (handler === undefined ? [] : [key]));
}

const SHOWN = 3;

function summary(types: readonly string[]): string {
  const shown = types.slice(0, SHOWN).join(", ");
  return types.length > SHOWN ? `${shown} and ${types.length - SHOWN} more` : shown;
}
