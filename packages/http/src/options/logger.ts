import { AbortError } from "../errors/abort-error.ts";
import { InputError } from "../errors/input-error.ts";
import { isApiError } from "../errors/is-api-error.ts";
import type { CallContext, CallError } from "../errors/call-error.ts";
import { hasMethod, notify, withMethods, type Check } from "@fieldmesh/core/internal";
import type { CallEvent, FailureEvent, RequestEvent, ResponseEvent } from "./hooks.ts";
import { STATUS } from "../errors/statuses.ts";

/**
 * Where a client writes its log: `console`, a logger of pino or winston, or any object with these four methods. The message is a
 * whole line, and `fields` contains its parts. A logger of pino receives the fields first, as pino expects.
 */
export interface Logger {
  /** Receives every request and response. */
  debug(message: string, fields: object): unknown;
  /** Receives normal events, such as a wait for a rate limit. */
  info(message: string, fields: object): unknown;
  /** Receives events that may need attention, such as a retry. */
  warn(message: string, fields: object): unknown;
  /** Receives calls that failed. */
  error(message: string, fields: object): unknown;
}

/** What follows a failed attempt. */
export interface RetryEvent extends CallEvent {
  /** The status, or what failed below HTTP. */
  readonly failure: number | string;
  /** Milliseconds until the next attempt. */
  readonly wait: number;
  /** Why there is another attempt. */
  readonly reason: string;
}

/** The end of a failed call. */
export interface EndEvent extends Omit<CallEvent, "attempt">, CallContext {
  /** The class of the error. */
  readonly error: string;
  /** The status of the last response, if one arrived. */
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly thrown: CallError;
}

/** The events of a call, by the names of their hooks. The last two have no hook, and nothing but a hook receives a body. */
export interface Events {
  readonly onRequest: RequestEvent;
  readonly onResponse: Omit<ResponseEvent, "body">;
  readonly onFailure: FailureEvent;
  readonly onRetry: RetryEvent;
  readonly onEnd: EndEvent;
}

/** Writes the events of calls to a logger, in the redacted form of the hooks. */
export interface Log {
  tell<Name extends keyof Events>(name: Name, makeEvent: () => Events[Name]): void;
  warn(message: string, fields: object): void;
}

const LEVELS = ["debug", "info", "warn", "error"] as const;
type Level = (typeof LEVELS)[number];

type Line = readonly [level: Level, message: string, fields: object];

/** The line of each event. */
const LINES: { readonly [Name in keyof Events]: (event: Events[Name]) => Line } = {
  onRequest: (event) => ["debug", nameOf(event), event],
  onResponse: (event) => {
    const size = `${Math.round(event.duration)} ms, ${event.bytes} bytes`;
    return ["debug", `${nameOf(event)}: ${event.status}, ${size}`, event];
  },
  onFailure: (event) => {
    const { failure, duration } = event;
    return ["debug", `${nameOf(event)}: ${failure}, ${Math.round(duration)} ms`, event];
  },
  onRetry: (event) => {
    const { failure, wait, reason } = event;
    const message = `${nameOf(event)}: ${failure}, ${reason} (${wait} ms)`;
    return [isOfLimit(event) ? "info" : "warn", message, event];
  },
  onEnd: ({ thrown, ...fields }) => [levelOf(thrown), thrown.message, fields],
};

/** Statuses that would affect every call of the client. */
const OF_THE_CLIENT = new Set<number>([
  STATUS.unauthorized,
  STATUS.forbidden,
  STATUS.tooManyRequests,
]);

/** Checks the option `logger`. */
export const checkLogger: Check<Logger> = /* @__PURE__ */ withMethods(
  "an object with the methods debug, info, warn and error, as console and loggers of pino and winston are",
  ...LEVELS,
);

/** Creates the log of a client. Returns `undefined` without a logger. */
export function createLog(logger: Logger | undefined): Log | undefined {
  if (logger === undefined) return undefined;
  // A logger of pino has `bindings`. console and winston have none.
  const fieldsFirst = hasMethod(logger, "bindings");
  const write = (makeLine: () => Line): void =>
    notify("logger", logger, (target) => {
      const [level, ...line] = makeLine();
      const parts = fieldsFirst ? line.toReversed() : line;
      return (target[level] as (...parts: readonly unknown[]) => unknown).apply(target, parts);
    });
  return {
    tell: (name, makeEvent) => write(() => LINES[name](makeEvent())),
    warn: (message, fields) => write(() => ["warn", message, fields]),
  };
}

/** Warns in the log of a client, or on the console without one. For what the user must learn, and has set no function to receive. */
export function warn(log: Pick<Log, "warn"> | undefined, message: string, fields: object): void {
  if (log !== undefined) log.warn(message, fields);
  // oxlint-disable-next-line no-console -- a client without a logger has nothing else
  else notify("console.warn", console, () => console.warn(message));
}

function nameOf({ call, route, attempt }: CallEvent): string {
  return `${call} (${route}) attempt ${attempt}`;
}

/** Tells whether a retry waits for the rate limit. The service works, and such a wait is normal. */
function isOfLimit({ failure }: RetryEvent): boolean {
  return failure === STATUS.tooManyRequests || failure === STATUS.unauthorized;
}

/** Returns the level of a failed call. You may expect a rejected request, such as a 404, but not a rejected key or an exceeded limit. */
function levelOf(error: CallError): Level {
  if (error instanceof AbortError || error instanceof InputError) return "info";
  if (!isApiError(error)) return "error";
  const { status } = error;
  const isRejected = status >= STATUS.badRequest && status < STATUS.internalError;
  return isRejected && !OF_THE_CLIENT.has(status) ? "info" : "error";
}
