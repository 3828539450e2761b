import { isFieldmeshError } from "../error.ts";
import type { TracedError, TraceMessage } from "./messages.ts";
import type { Channel } from "./open-channel.ts";

/** The message of some work: what is known at its start, and what each end adds. */
export interface Traced<Message, Result> {
  readonly start: () => Message;
  readonly end?: (result: Result) => Partial<Message>;
  readonly fail?: (error: unknown) => Partial<Message> & { readonly code?: string };
}

/**
 * Does some work and publishes its start and its end to a channel. Where nobody listens, only the work is done, and no message is made.
 *
 * Neither the result nor the error of the work is published: they may hold a secret.
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
      const { code, ...facts } = fail?.(error) ?? {};
      Object.assign(message, facts);
      // oxlint-disable-next-line typescript/only-throw-error -- the channel publishes what is thrown here
      throw tracedError(error, code);
    }
  };
  const wrapped = async (): Promise<void> => {
    await (typeof message.wrap === "function" ? message.wrap(run) : run());
  };
  await channel.tracePromise(wrapped, message).catch(() => undefined);
  // A `wrap` that throws, or that drops the work or its result, changes nothing: the work is done, and once.
  await run().catch(() => undefined);
  if (ended === undefined) throw new Error("unreachable: the work sets it");
  if ("error" in ended) throw ended.error;
  return ended.result;
}

/** The class of an error, and what tells it from others of its class. */
function tracedError(error: unknown, code?: string): TracedError {
  const name = classOf(error);
  return { name, code: code ?? codeOf(error) ?? name };
}

// A response with 200 that does not fit is told by the class of its error.
const FIRST_ERROR = 400;

/** A code of our own errors has passed the check for secrets; that of others may hold anything. */
function codeOf(error: unknown): string | undefined {
  if (!isFieldmeshError(error)) return undefined;
  const { status, code } = error as { readonly status?: unknown; readonly code?: unknown };
  // The code of an ApiError is text of the service.
  if (typeof status === "number" && status >= FIRST_ERROR) return String(status);
  return error.name === "ConnectionError" && typeof code === "string" ? code : undefined;
}

/** By the constructor: the member `name` is data, which may hold anything. */
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

// As the semantic conventions of OpenTelemetry call it.
const OTHER = "_OTHER";
