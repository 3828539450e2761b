import { ENDED, stringifyJson, systemClock } from "@fieldmesh/core/internal";
import { textResponse } from "../serve/responses.ts";
import type { SandboxActivity, Feed } from "../services/feed.ts";
import type { LoggedRequest } from "../log/logged-request.ts";
import { toEventRow } from "./views.ts";
import type { DeliveryRow, FeedMessage, RequestRow, Settings } from "./wire.ts";

export interface StreamSource {
  readonly history: ActivityHistory;
  /** Another one for each run, so that no viewer resumes in the history of an earlier one. */
  readonly run: string;
  /** Everything that a new viewer needs, in messages of bounded size. */
  readonly whole: () => readonly Omit<FeedMessage, "clock">[];
  readonly settings: () => Settings;
  readonly toRow: (request: LoggedRequest) => RequestRow;
  readonly clock: () => FeedMessage["clock"];
}

/** Readers at the same time. Each may be sent the whole log, and a page needs one. */
const MOST_READERS = 64;

/** Creates a function that responds as {@link streamActivity} does, and with 503 while there are too many readers. */
export function createStream(source: () => StreamSource): (request: Request) => Response {
  let readers = 0;
  return (request) => {
    if (readers >= MOST_READERS)
      return textResponse(
        `The sandbox has ${MOST_READERS} readers of its feed, and accepts no more. Close one of its pages, and try again.`,
        { status: 503 },
      );
    readers++;
    return streamActivity(request, source(), () => void readers--);
  };
}

/** Milliseconds in which changes are collected for one message. A person sees no difference. */
const COLLECTING = 40;

/** Sends everything, or what was missed since `Last-Event-ID`, then changes. Slow viewers receive fewer, larger messages. */
function streamActivity(request: Request, source: StreamSource, onLeft: () => void): Response {
  const { history, run } = source;
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, request.signal]);
  if (signal.aborted) onLeft();
  else signal.addEventListener("abort", onLeft);
  let known = readId(request.headers.get("last-event-id"), run);
  let waiting: readonly Omit<FeedMessage, "clock">[] = [];

  const collect = async (): Promise<readonly Omit<FeedMessage, "clock">[]> => {
    if (known !== undefined) {
      await history.changed(known, signal);
      await systemClock.sleep(COLLECTING, signal);
    }
    const missed = known === undefined ? undefined : history.since(known);
    known = history.version;
    if (missed === undefined || missed.some(({ kind }) => kind === "reset")) return source.whole();
    return [changesOf(missed, source)];
  };

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (waiting.length === 0) waiting = await collect();
          const [message, ...others] = waiting;
          waiting = others;
          // Only the last message of a whole has an id: a viewer that breaks off before it starts again.
          const id = waiting.length === 0 ? `id: ${run}.${known}\n` : "";
          const data = stringifyJson({ ...message, clock: source.clock() });
          controller.enqueue(new TextEncoder().encode(`${id}data: ${data}\n\n`));
        } catch (error) {
          if (!signal.aborted) throw error;
          if (!left.signal.aborted) controller.close();
        }
      },
      cancel: () => left.abort(ENDED),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
  });
}

/** Reads the version that a viewer knows. `undefined` for a viewer that knows nothing of this run. */
function readId(id: string | null, run: string): number | undefined {
  const [known, version = ""] = (id ?? "").split(".");
  return known === run && /^\d+$/.test(version) ? Number(version) : undefined;
}

/** Returns the last state of each thing that changed. */
function changesOf(
  activities: readonly SandboxActivity[],
  { settings, toRow }: StreamSource,
): Omit<FeedMessage, "clock"> {
  const requests = new Map<number, RequestRow>();
  const events = [];
  const deliveries = new Map<string, DeliveryRow>();
  let isSet = false;
  for (const activity of activities) {
    if ("request" in activity) requests.set(activity.request.number, toRow(activity.request));
    else if ("event" in activity) events.push(toEventRow(activity.event));
    else if ("delivery" in activity) deliveries.set(activity.delivery.id, activity.delivery);
    else isSet = true;
  }
  return {
    ...(requests.size > 0 && { requests: [...requests.values()] }),
    ...(events.length > 0 && { events }),
    ...(deliveries.size > 0 && { deliveries: [...deliveries.values()] }),
    ...(isSet && { settings: settings() }),
  };
}

export type ActivityHistory = ReturnType<typeof createHistory>;

/** How many activities are kept. A viewer that missed more of them starts again. */
const MOST = 20_000;

/** Creates a history, which begins with what happens next, so that a viewer that was away can catch up. */
export function createHistory(feed: Feed) {
  let entries: SandboxActivity[] = [];
  let version = 0;
  let next = Promise.withResolvers<void>();
  feed.watch((activity) => {
    version += 1;
    entries.push(activity);
    if (entries.length >= 2 * MOST) entries = entries.slice(-MOST);
    next.resolve();
    next = Promise.withResolvers();
  });
  return {
    /** The number of the last activity. */
    get version() {
      return version;
    },
    /** Returns what happened after a version. `undefined` if that is too long ago. */
    since: (known: number): readonly SandboxActivity[] | undefined => {
      const missed = version - known;
      if (missed < 0 || missed > entries.length) return undefined;
      return missed === 0 ? [] : entries.slice(-missed);
    },
    /** Resolves when something has happened after a version. Rejects when the signal aborts. */
    changed: async (known: number, signal: AbortSignal): Promise<void> => {
      signal.throwIfAborted();
      if (version !== known) return;
      const aborted = Promise.withResolvers<never>();
      const onAbort = (): void => aborted.reject(signal.reason);
      signal.addEventListener("abort", onAbort);
      try {
        await Promise.race([next.promise, aborted.promise]);
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}
