import type { PartCheckpoint } from "./checkpoint.ts";
import { createPart, type Part } from "./part.ts";
import type { Plan } from "./plan.ts";

const MINUTE = 60_000;
/** The most pages of a part that wait to be returned. In the order of the list, most parts wait for those before them. */
const MOST_PAGES = { arrival: 2, list: 16 } as const;
/** Parts per lane. In the order of the list, a lane leaves a part whose pages are read, and helps with the first part. */
const MOST_PARTS = { arrival: 1, list: 2 } as const;
/** The fewest pages for which a part is split. Half of them must be worth a request that begins in the middle of a page. */
const WORTH_PAGES = { arrival: 3, list: 16 } as const;

/** A walk in progress. */
export interface Run<T> {
  /** Returns an item that is already read. */
  take(): IteratorYieldResult<T> | undefined;
  /** Waits for an item. Returns `false` at the end. */
  readMore(): Promise<boolean>;
  /** Returns the unfinished parts, and how many items were returned since the start. */
  /** Returns how many items were returned that a page has repeated. */
  repeated(): number;
  place(): { readonly given: number; readonly parts: readonly PartCheckpoint[] };
  close(): void;
}

/** Starts the lanes of a walk. The walk loads this file with its first `next()`. */
export function createRun<T>(plan: Plan<T>): Run<T> {
  const { lanes, order, maxItems } = plan;
  const parts = createParts(plan);
  const reading = new Set<Part<T>>();
  const failures = new Map<Part<T>, unknown>();
  let change = Promise.withResolvers<void>();
  let current: Part<T> | undefined;
  let [given, repeated] = [0, 0];
  let [isNewestFirst, isClosed] = [true, false];
  let [span, pages] = [0, 0];

  /** Starts work in every free lane. */
  function start(): void {
    if (isClosed) return;
    while (reading.size < lanes) {
      const part = partToRead() ?? splitPart();
      if (part === undefined) return;
      reading.add(part);
      void read(part);
    }
  }

  async function read(part: Part<T>): Promise<void> {
    try {
      const page = await part.read();
      isNewestFirst &&= page?.isNewestFirst !== false;
      if (page?.span !== undefined) {
        span += page.span;
        pages++;
      }
    } catch (error) {
      failures.set(part, error);
    }
    reading.delete(part);
    start();
    change.resolve();
    change = Promise.withResolvers();
  }

  function partToRead(): Part<T> | undefined {
    return parts.find((part) => {
      const isIdle = !reading.has(part) && !failures.has(part);
      return isIdle && !part.isRead && !part.isWaiting && part.pages < MOST_PAGES[order];
    });
  }

  /** Splits off the older half of the rest of a part: of the longest part, or of the first part in the order of the list. */
  function splitPart(): Part<T> | undefined {
    const unread = parts.filter((part) => !part.isRead);
    // In the order of the list, more parts help only while the walk waits for the first one.
    const isHelp = order === "arrival" || parts[0]?.hasItem === false;
    if (!isHelp || !isNewestFirst || unread.length >= lanes * MOST_PARTS[order]) return undefined;
    const splittable = unread.filter((part) => middleOf(part) !== undefined);
    const [part] = order === "list" ? splittable : splittable.sort((a, b) => left(b) - left(a));
    if (part === undefined) return undefined;
    const older = part.split(middleOf(part) as number);
    parts.splice(parts.indexOf(part) + 1, 0, older);
    return older;
  }

  const left = ({ at, low }: Part<T>): number => (at ?? low) - low;

  /** Returns a whole minute, because services cut times to it. Returns `undefined` if the part is too short to split. */
  function middleOf(part: Part<T>): number | undefined {
    const { at, low } = part;
    if (at === undefined || pages === 0) return undefined;
    if (left(part) * pages < WORTH_PAGES[order] * span) return undefined;
    const middle = Math.floor((at + low) / 2 / MINUTE) * MINUTE;
    return middle > low ? middle : undefined;
  }

  function partWithItem(): Part<T> | undefined {
    const candidates = order === "list" ? parts.slice(0, 1) : parts;
    return candidates.find((part) => part.hasItem);
  }

  function close(): void {
    isClosed = true;
    for (const part of parts) part.close();
  }

  return {
    take() {
      if (given >= maxItems) return undefined;
      const item = current?.take();
      if (item === undefined) return undefined;
      given++;
      if (current?.isRepeated === true) repeated++;
      return item;
    },

    async readMore() {
      for (;;) {
        if (given >= maxItems) {
          close();
          return false;
        }
        const [failure] = failures;
        if (failure !== undefined) {
          failures.delete(failure[0]);
          throw failure[1];
        }
        if (parts.some((part) => part.isLost)) throw plan.lostAfter(given);
        for (const part of parts.filter((each) => each.isDone))
          parts.splice(parts.indexOf(part), 1);
        start();
        current = partWithItem();
        if (current !== undefined) return true;
        if (parts.length === 0) return false;
        await change.promise;
      }
    },

    repeated: () => repeated,

    place: () => ({
      given,
      parts: parts.filter((part) => !part.isDone).map((part) => part.checkpoint()),
    }),

    close,
  };
}

/** Creates the parts of a plan, none of which has read anything. */
function createParts<T>({
  list,
  byTime,
  range,
  parts: places,
  toMilliseconds,
}: Plan<T>): Part<T>[] {
  const { field, readTime } = byTime;
  const { from, to } = range;
  const stampOf = (item: T): string | number | null => {
    const stamp = (item as Record<string, unknown> | null)?.[field];
    return typeof stamp === "string" || typeof stamp === "number" ? stamp : null;
  };
  const common = { ...list, stampOf, toMilliseconds };
  const parts: Part<T>[] = [];
  // Starts with the oldest part, because each part needs the next one.
  for (const { max, until, place, first, stop } of places.toReversed()) {
    const part = createPart({
      ...common,
      max,
      at: place === null ? readTime(max, to) : undefined,
      low: readTime(until, to) ?? from,
      next: stop === null ? parts[0] : undefined,
      stop: stop ?? undefined,
      first: first ?? undefined,
      place: place ?? undefined,
    });
    parts.unshift(part);
  }
  return parts;
}
