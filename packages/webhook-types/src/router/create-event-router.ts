import { mistake, readInput, handlerChannel, trace } from "@fieldmesh/core/internal";
import { showEvent, showName, didYouMean } from "../events/show-name.ts";
import type { EventEnvelope } from "../events/envelope.ts";
import { eventTypes } from "../events/event-types.ts";
import { isEvent } from "../events/is-event.ts";
import { familyPatterns, isPattern, patternsOf } from "../events/pattern.ts";
import {
  contextByHand,
  type EventContext,
  type AnyEventMap,
  type EventHandler,
  type EventHandlers,
  type EventRouter,
} from "./event-handlers.ts";
import type { EventMap } from "../events/webhook-event.ts";
import type { CheckedNames } from "./checked-names.ts";

type Handler = EventHandler<EventEnvelope>;

/**
 * Creates a router: a table of handlers by type, by family such as `sim.*` or `cpni.verification.*`, `*` and `otherwise`.
 *
 * All handlers that match an event run. Events of unknown types only reach `*` and `otherwise`, so that every other key has an
 * exact type. An order ignores the events that no handler but `otherwise` receives. Throws a TypeError for a key that is neither a known type nor a family, because it could never run.
 *
 * @example
 * ```ts
 * const router = createEventRouter({
 *   "sim.activated": (event) => console.log(event.data.object.subscriber_id),
 *   "invoice.*": (event) => console.log(event.type, event.data.object.status),
 *   otherwise: (event) => console.log("left alone:", event.type),
 * });
 * await router.dispatch(parseEvent(body));
 * ```
 */
export function createEventRouter<
  Events extends AnyEventMap = EventMap,
  Name extends string = never,
>(handlers: NoInfer<EventHandlers<Events>> & CheckedNames<Name, Events>): EventRouter<Events>;
export function createEventRouter(handlers: object): Router {
  return readInput("The argument of createEventRouter", () => makeRouter(handlers));
}

interface Router {
  handles: (type: string) => boolean;
  dispatch: (event: EventEnvelope, context?: EventContext) => Promise<void>;
}

function makeRouter(handlers: object): Router {
  if (typeof handlers !== "object" || handlers === null || Array.isArray(handlers))
    throw mistake('Pass handlers by type, such as { "sim.activated": (event) => … }.');
  const table = handlers as Readonly<Record<string, Handler | undefined>>;
  for (const [key, handler] of Object.entries(table)) {
    if (key !== "otherwise" && !isPattern(key))
      throw mistake(
        `"${key}" is not an event type, a family pattern, "*" or "otherwise".${didYouMean(key, [...eventTypes, ...familyPatterns(), "otherwise"])}`,
      );
    // undefined too, which occurs when two modules import each other: its events would be acknowledged but not handled.
    if (typeof handler !== "function")
      throw mistake(`The handler of "${key}" is ${typeof handler}, not a function.`);
  }
  // All lists are created once, so that a dispatch is one look-up.
  const handlersByType = new Map(
    eventTypes.map((type) => [type as string, handlersOf(table, type)]),
  );
  const unknownHandlers = pick(table["otherwise"], table["*"]);
  const handled = new Set<string>(eventTypes.filter((type) => ownHandlers(table, type).length > 0));
  return {
    handles: (type) => handled.has(type) || table["*"] !== undefined,
    async dispatch(event, context) {
      if (!isEvent(event)) throw mistake(NOT_AN_EVENT);
      const matching = handlersByType.get(event.type) ?? unknownHandlers;
      await runAll(matching, event, context ?? contextByHand(event.id));
    },
  };
}

const NOT_AN_EVENT =
  "dispatch requires an event with an id and a type. Pass the result of parseEvent(body), not the body.";

function handlersOf(table: Readonly<Record<string, Handler | undefined>>, type: string): Handler[] {
  const own = ownHandlers(table, type);
  return [...(own.length > 0 ? own : pick(table["otherwise"])), ...pick(table["*"])];
}

function ownHandlers(table: Readonly<Record<string, Handler | undefined>>, type: string) {
  return pick(table[type], ...patternsOf(type).map((pattern) => table[pattern]));
}

function pick(...handlers: readonly (Handler | undefined)[]): Handler[] {
  return handlers.filter((handler) => handler !== undefined);
}

async function runAll(
  handlers: readonly Handler[],
  event: EventEnvelope,
  context: EventContext,
): Promise<void> {
  // Before the handlers, which may change the event.
  const { id, type } = event;
  const errors: unknown[] = [];
  const pending: Promise<unknown>[] = [];
  for (const handler of handlers) {
    try {
      const result = traceHandler({ id, type }, () => handler(event, context));
      // Most handlers that only enqueue return nothing, and need no promise.
      if (isThenable(result))
        pending.push(Promise.resolve(result).catch((error: unknown) => errors.push(error)));
    } catch (error) {
      errors.push(error);
    }
  }
  if (pending.length > 0) await Promise.all(pending);
  if (errors.length > 0)
    throw new AggregateError(
      errors,
      `${errors.length} of ${handlers.length} handlers of ${showEvent({ id, type })} failed.`,
    );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** Publishes the work of a handler to `fieldmesh:handler`. Without a subscriber, a synchronous handler creates no promise. */
function traceHandler(
  { id, type }: Pick<EventEnvelope, "id" | "type">,
  handle: () => unknown,
): unknown {
  if (!handlerChannel.hasSubscribers) return handle();
  return trace(handlerChannel, async () => await handle(), {
    start: () => ({ event: { id: showName(id), type: showName(type) } }),
  });
}
