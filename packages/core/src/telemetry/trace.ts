// Why it is so: docs/decisions/26-telemetry-through-channels.md
import { isFieldmeshError } from "../error.ts";
import type { TracedError, TraceMessage } from "./messages.ts";
import type { Channel } from "./open-channel.ts";

/** The message of one piece of work: what is known at its start, and what each end adds. */
export interface Traced<Message, Result> {
  readonly start: () => Message;
  readonly end?: (result: Result) => Partial<Message>;
  readonly fail?: (error: unknown) => Partial<Message> & { readonly code?: string };
}

/**
 * Runs work and publishes its start and its end to a channel. If the channel has no subscribers, it only runs the work.
 *
 * It publishes neither the result nor the error of the work, because they may contain a secret.
 */
export function trace<Message extends TraceMessage, Result>(
  channel: Channel<Message>,
  work: (message?: NoInfer<Message>) => Promise<Result>,
  traced: Traced<NoInfer<Message>, Result>,
): Promise<Result> {
  return channel.hasSubscribers ? publish(channel, work, traced) : work();
}

async function publish<Message extends TraceMessage, Result>(
  channel: Channel<Message>,
  work: (message?: Message) => Promise<Result>,
  { start, end, fail }: Traced<Message, Result>,
): Promise<Result> {
  const message = start();
  let ended: { readonly result: Result } | { readonly error: unknown } | undefined;
  let working: Promise<void> | undefined;
  const run = (): Promise<void> => (working ??= runOnce());
  const runOnce = async (): Promise<void> => {
    try {
      const result = await work(message);
      ended = { result };
      Object.assign(message, end?.(result));
    } catch (error) {
      ended = { error };
      const { code, ...context } = fail?.(error) ?? {};
      Object.assign(message, context);
      // oxlint-disable-next-line typescript/only-throw-error -- the channel publishes what is thrown here
      throw tracedError(error, code);
    }
  };
  const wrapped = async (): Promise<void> => {
    await (typeof message.wrap === "function" ? message.wrap(run) : run());
  };
  await channel.tracePromise(wrapped, message).catch(() => undefined);
  // If `wrap` throws, or drops the work or its result, the work still runs, and only once.
  await run().catch(() => undefined);
  if (ended === undefined) throw new Error("unreachable: the work sets it");
  if ("error" in ended) throw ended.error;
  return ended.result;
}

/** Returns the class of an error, and the status or code that distinguishes it. */
function tracedError(error: unknown, code?: string): TracedError {
  const name = classOf(error);
  return { name, code: code ?? codeOf(error) ?? name };
}

// A response with status 200 that does not fit is identified by the class of its error.
const FIRST_ERROR = 400;

/** The codes of errors of fieldmesh are checked for secrets. Those of other errors may contain anything. */
function codeOf(error: unknown): string | undefined {
  if (!isFieldmeshError(error)) return undefined;
  const { status, code } = error as { readonly status?: unknown; readonly code?: unknown };
  // The code of an ApiError is a string from the service.
  if (typeof status === "number" && status >= FIRST_ERROR) return String(status);
  return error.name === "ConnectionError" && typeof code === "string" ? code : undefined;
}

/** Uses the constructor: the member `name` is data and may contain anything. */
function classOf(error: unknown): string {
  try {
    if (isFieldmeshError(error)) return error.name;
    const { constructor } = Object(error) as { readonly constructor?: unknown };
    return typeof constructor === "function" && constructor.name !== "" ? constructor.name : OTHER;
  } catch {
    // A getter or a proxy throws.
    return OTHER;
  }
}

// The name in the semantic conventions of OpenTelemetry.
const OTHER = "_OTHER";
