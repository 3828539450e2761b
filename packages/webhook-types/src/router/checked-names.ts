import type { UnknownEvent } from "../events/envelope.ts";
import type { EventPattern, WebhookEvent } from "../events/webhook-event.ts";
import type { EventHandler } from "./event-handlers.ts";

/**
 * Makes each misspelled name in a table of handlers one type error, which suggests the right name. Without it, the compiler
 * reports two errors and suggests nothing, because it has no type for the event of an unknown name.
 */
export type CheckedNames<Name extends string, Events> = {
  [Each in Name]?: string extends Each
    ? // A table that a program computes.
      unknown
    : Each extends EventPattern | "otherwise"
      ? unknown
      : // A function has a type for its event here, and is never such a string.
        EventHandler<WebhookEvent | UnknownEvent> & Advice<Closest<Each, NamesOf<Events>>>;
};

/**
 * The names of a table. They depend on a type parameter, so that the compiler compares them with a misspelled name, and not with the
 * type parameter of each function: that would cost every program 8,000 types.
 */
type NamesOf<Events> = Events extends unknown ? EventPattern | "otherwise" : never;

type Advice<Name extends string> = [Name] extends [never]
  ? "This is neither an event type nor a pattern. See eventTypes."
  : `Did you mean '${Name}'?`;

/** The names that differ in one character. Computed for misspelled names only. */
type Closest<Misspelled extends string, Name extends string> = Name extends string
  ? IsClose<Misspelled, Name> extends true
    ? Name
    : never
  : never;

/** Whether two strings are equal but for a character that one lacks, or that differs, or for two that are swapped. */
type IsClose<A extends string, B extends string> = A extends `${infer FirstA}${infer RestA}`
  ? B extends `${infer FirstB}${infer RestB}`
    ? FirstA extends FirstB
      ? IsClose<RestA, RestB>
      : A extends RestB
        ? true
        : RestA extends B | RestB
          ? true
          : IsSwapped<FirstA, RestA, FirstB, RestB>
    : RestA extends ""
      ? true
      : false
  : B extends `${string}${infer RestB}`
    ? RestB extends ""
      ? true
      : false
    : true;

type IsSwapped<
  FirstA extends string,
  RestA extends string,
  FirstB extends string,
  RestB extends string,
> = RestA extends `${FirstB}${infer Tail}`
  ? RestB extends `${FirstA}${Tail}`
    ? true
    : false
  : false;
