import { AbortError } from "../errors/abort-error.ts";
import { InputError } from "../errors/input-error.ts";
import { isApiError } from "../errors/is-api-error.ts";
import type { CallError } from "../errors/call-error.ts";
import { hasMethod, mistake, notify } from "@fieldmesh/core/internal";
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
export interface RetryContext extends CallEvent {
  /** The status, or what failed below HTTP. */
  readonly failure: number | string;
  /** Milliseconds until the next attempt. */
  readonly wait: number;
  /** Why there is another attempt. */
  readonly reason: string;
}

/** Writes the events of calls to a logger, in the redacted form of the hooks. */
export interface Log {
  request(makeEvent: () => RequestEvent): void;
  /** Without the body, which can have several megabytes. Hooks receive it. */
  response(makeEvent: () => Omit<ResponseEvent, "body">): void;
  failure(makeEvent: () => FailureEvent): void;
  retry(context: RetryContext): void;
  /** Logs a failed call. */
  end(callId: string, error: CallError): void;
  warn(message: string, fields: object): void;
}

const LEVELS = ["debug", "info", "warn", "error"] as const;
type Level = (typeof LEVELS)[number];

/** Statuses that would affect every call of the client. */
const OF_THE_CLIENT = new Set<number>([
  STATUS.unauthorized,
  STATUS.forbidden,
  STATUS.tooManyRequests,
]);

/** Checks the option `logger`. */
export function checkLogger(logger: unknown): Logger {
  if (LEVELS.every((level) => hasMethod(logger, level))) return logger as Logger;
  throw mistake(
    "logger must have the methods debug, info, warn and error, as console and loggers of pino and winston do.",
  );
}

/** Creates the log of a client. Returns `undefined` without a logger. */
export function createLog(logger: Logger | undefined): Log | undefined {
  if (logger === undefined) return undefined;
  const fieldsFirst = isPino(logger);
  const write = (level: Level, makeLine: () => readonly [message: string, fields: object]): void =>
    notify("logger", logger, (target) => {
      const line = makeLine();
      const parts = fieldsFirst ? line.toReversed() : line;
      return (target[level] as (...parts: readonly unknown[]) => unknown).apply(target, [...parts]);
    });
  return {
    request: (makeEvent) =>
      write("debug", () => {
        const event = makeEvent();
        return [`${nameOf(event)} attempt ${event.attempt}`, event];
      }),
    response: (makeEvent) =>
      write("debug", () => {
        const event = makeEvent();
        const { attempt, status, duration, bytes } = event;
        const size = `${Math.round(duration)} ms, ${bytes} bytes`;
        return [`${nameOf(event)} attempt ${attempt}: ${status}, ${size}`, event];
      }),
    failure: (makeEvent) =>
      write("debug", () => {
        const event = makeEvent();
        const { attempt, failure, duration } = event;
        return [
          `${nameOf(event)} attempt ${attempt}: ${failure}, ${Math.round(duration)} ms`,
          event,
        ];
      }),
    retry: (context) =>
      write(isOfLimit(context) ? "info" : "warn", () => {
        const { attempt, failure, wait, reason } = context;
        return [
          `${nameOf(context)} attempt ${attempt}: ${failure}, ${reason} (${wait} ms)`,
          context,
        ];
      }),
    end: (callId, error) =>
      write(levelOf(error), () => {
        const { name, message, call, route, outcome, attempts } = error;
        const status = isApiError(error) ? { status: error.status } : {};
        // Copied: a logger may change its fields, and the error keeps its own.
        const copies = attempts.map((each) => ({ ...each }));
        const fields = { callId, call, route, error: name, outcome, ...status, attempts: copies };
        return [message, fields];
      }),
    warn: (message, fields) => write("warn", () => [message, fields]),
  };
}

/** Tells whether a logger is one of pino, which has `bindings`. console and winston have none. */
function isPino(logger: object): boolean {
  return "bindings" in logger && typeof logger.bindings === "function";
}

function nameOf({ call, route }: { readonly call: string; readonly route: string }): string {
  return `${call} (${route})`;
}

/** Tells whether a retry waits for the rate limit. The service works, and such a wait is normal. */
function isOfLimit({ failure }: RetryContext): boolean {
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
