import type { FetchFunction } from "../src/internal.ts";
import { createThings, type Thing, type Things } from "./things.ts";

/** A list behind a `fetch` that records the requests. */
export interface ListServer {
  readonly things: Things;
  /** The ids of the list. A test may change them during a walk. */
  ids: number[];
  /** The query of each request, in order of arrival. */
  readonly queries: string[];
  /** Failures for the next requests; with `undefined`, the list responds. */
  readonly failures: (number | "expired" | undefined)[];
  /** Releases the responses that `hold()` holds back. */
  release(): void;
  hold(): void;
  /** The number of requests without a response that were not canceled. */
  readonly open: number;
  readonly cancelled: number;
}

/** Starts a list of ids `0…length-1` in pages. The cursor `c<offset>` names the first item of a page. */
export function startList({
  length,
  size = 3,
  next = (offset) => `c${offset}`,
}: {
  length: number;
  size?: number;
  next?: (offset: number) => string;
}): ListServer {
  let gate: { promise: Promise<void>; resolve: () => void } | undefined;
  const server = {
    ids: Array.from({ length }, (_, id) => id),
    queries: [] as string[],
    failures: [] as (number | "expired" | undefined)[],
    open: 0,
    cancelled: 0,
    hold: () => (gate = Promise.withResolvers<void>()),
    release: () => gate?.resolve(),
  };
  const fetch: FetchFunction = async (url, { signal }) => {
    const { search, searchParams } = new URL(url);
    server.queries.push(search);
    server.open++;
    const failure = server.failures.shift();
    try {
      if (gate !== undefined) await untilAborted(gate.promise, signal);
    } catch (error) {
      server.cancelled++;
      throw error;
    } finally {
      server.open--;
    }
    if (failure === "expired") return Response.json({ error: "Cursor Expired" }, { status: 400 });
    if (failure !== undefined) return new Response("", { status: failure });
    const offset = Number((searchParams.get("cursor") ?? "c0").slice(1));
    const end = offset + size;
    return Response.json({
      data: server.ids.slice(offset, end).map((id) => ({ id, name: `thing ${id}` })),
      ...(end < server.ids.length && { cursor: next(end) }),
    });
  };
  const things = createThings({
    fetch,
    retry: false,
    service: {
      readError: ({ body }) => (body.includes("Cursor Expired") ? { code: "cursor_expired" } : {}),
    },
  });
  return Object.assign(server, { things });
}

async function untilAborted(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await Promise.race([
    wait,
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    }),
  ]);
}

/** Returns the ids of a walk to its end. */
export async function idsOf(list: {
  [Symbol.asyncIterator](): {
    next(): Promise<IteratorResult<Thing, undefined>>;
  };
}): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

/** Returns the numbers from `first` up to `length`, without `length`. */
export function upTo(length: number, first = 0): number[] {
  return Array.from({ length: length - first }, (_, index) => first + index);
}
