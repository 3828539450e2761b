// Why it is so: docs/decisions/30-going-back-repeats-requests.md
import type { RandomPosition } from "../random.ts";
import type { Instant, Moment } from "./moment.ts";

/** Makes a change, and remembers how to repeat it. A change within a change belongs to the outer one. */
export type Change<Current> = <T>(work: () => T, repeat: (current: Current) => unknown) => T;

/** What happened since the start or a restore, so that it can be repeated up to any of the last requests. */
export interface Journal<Current, Base> {
  readonly change: Change<Current>;
  /** Remembers that a request arrived. */
  arrive(number: number, state: ArrivalState): void;
  /** Returns the arrival of a request. Throws a RangeError for one that the journal cannot go back to. */
  arrivalOf(number: number): Arrival;
  /** Accepts that requests up to this one cannot be repeated any more. */
  forget(number: number): void;
  /** Returns a function that restores what is remembered now. */
  mark(): () => void;
  /** Begins again from a base: a snapshot, or `undefined` for new data. */
  begin(base: Base | undefined): void;
  /** Forgets everything. */
  clear(): void;
  /** Goes back to the arrival of a request. Rejects with a RangeError for one that is not remembered. */
  back(number: number, steps: StepsBack<Base>): Promise<void>;
  /** Resolves when nothing is repeated. `undefined` if nothing is. */
  readonly repeating: Promise<unknown> | undefined;
}

/** What a journal does not know how to do. */
export interface StepsBack<Base> {
  /** Goes back to a base, from which the changes are then repeated. */
  readonly load: (base: Base | undefined) => void;
  readonly finish: (arrival: Arrival) => void;
  /** Makes changes that are remembered, before any request that waits. */
  readonly after?: () => void;
}

/** What the sandbox was like before a request. */
export interface ArrivalState {
  /** The position of the faults. */
  readonly faults: readonly number[];
  readonly devices: number;
  readonly deliveries: number;
}

/** The arrival of a request. */
export interface Arrival extends Instant, ArrivalState {
  readonly number: number;
}

interface Made<Current> extends Instant {
  readonly repeat: (current: Current) => unknown;
  /** Whether the responses to all earlier requests were complete. */
  readonly isAlone: boolean;
  readonly random: RandomPosition;
}

/** What happened since a base. */
interface Chapter<Current, Base> extends Instant {
  readonly base: Base | undefined;
  readonly items: (Arrival | Made<Current>)[];
  arrivals: number;
  /** Whether a request of it cannot be repeated any more. */
  isBroken: boolean;
}

/** What a journal works with. */
export interface JournalSetting<Current, Base> {
  readonly moment: Moment;
  /** How many requests it can go back. */
  readonly limit: number;
  readonly current: () => Current;
  readonly save: () => Base;
  /** The sequence that changes draw from which are repeated by their outcome. */
  readonly random: { position(): RandomPosition; continueAt(position: RandomPosition): void };
}

/**
 * Creates a journal. It keeps no copy of the data for each request: it copies the data every `limit` requests, and repeats the
 * requests after it.
 */
export function createJournal<Current, Base>({
  moment,
  limit,
  current,
  save,
  random,
}: JournalSetting<Current, Base>): Journal<Current, Base> {
  let chapters: Chapter<Current, Base>[] = [];
  let forgotten = 0;
  let inside = false;
  let open = 0;
  let repeating: Promise<unknown> | undefined;

  const begin = (base: Base | undefined) => {
    chapters = chapters.filter(({ isBroken }) => !isBroken);
    chapters.push({ base, items: [], arrivals: 0, isBroken: false, ...moment.instant() });
    // Older chapters are needed only as long as the later ones hold fewer requests than can be gone back.
    const later = () => chapters.slice(1).reduce((sum, { arrivals }) => sum + arrivals, 0);
    while (chapters.length > 1 && later() >= limit) chapters.shift();
  };

  const change: Change<Current> = (work, repeat) => {
    if (inside || repeating !== undefined) return work();
    const instant = moment.instant();
    if (limit > 0)
      chapters
        .at(-1)
        ?.items.push({ ...instant, repeat, isAlone: open === 0, random: random.position() });
    inside = true;
    try {
      const result = moment.at(instant, work);
      if (result instanceof Promise) {
        open++;
        const close = () => void open--;
        result.then(close, close);
      }
      return result;
    } finally {
      inside = false;
    }
  };

  const arrive = (number: number, state: ArrivalState) => {
    if (limit === 0) return;
    const last = chapters.at(-1);
    const isFull = last !== undefined && (last.arrivals >= limit || last.isBroken);
    if (isFull && open === 0) begin(save());
    const chapter = chapters.at(-1);
    chapter?.items.push({ ...moment.instant(), ...state, number });
    if (chapter !== undefined) chapter.arrivals++;
  };

  const forget = (number: number) => {
    for (const chapter of chapters) {
      const first = chapter.items.find((item) => "number" in item);
      if (first !== undefined && first.number <= number) chapter.isBroken = true;
    }
    forgotten = number;
  };

  /** Finds a request in a chapter. */
  const locate = (number: number) => {
    for (const chapter of chapters) {
      const at = chapter.items.findIndex((item) => "number" in item && item.number === number);
      if (at !== -1 && !chapter.isBroken)
        return { chapter, at, arrival: chapter.items[at] as Arrival };
    }
    throw new RangeError(
      forgotten > 0
        ? `The sandbox cannot go back to request ${number}: bodies of requests up to number ${forgotten} were forgotten. Start it with a larger logBytes.`
        : `Request ${number} is not one of the last ${limit} that the sandbox can go back to.`,
    );
  };

  const repeat = async (items: readonly (Arrival | Made<Current>)[]) => {
    let started: Promise<unknown>[] = [];
    for (const item of items) {
      if ("number" in item) continue;
      if (item.isAlone) {
        await Promise.all(started);
        started = [];
      }
      random.continueAt(item.random);
      started.push(settled(() => moment.at(item, () => item.repeat(current()))));
    }
    await Promise.all(started);
  };

  return {
    change,
    arrive,
    begin,
    arrivalOf: (number) => locate(number).arrival,
    forget,
    mark: () => {
      const marked = chapters.map((chapter) => ({ ...chapter, items: [...chapter.items] }));
      return () => {
        chapters = marked;
      };
    },
    clear: () => {
      chapters = [];
      forgotten = 0;
    },
    back: async (number, { load, finish, after }) => {
      const busy = () => repeating;
      while (busy() !== undefined) await busy();
      const { chapter, at, arrival } = locate(number);
      const { items } = chapter;
      chapters = chapters.slice(0, chapters.indexOf(chapter) + 1);
      items.length = at;
      chapter.arrivals = items.filter((item) => "number" in item).length;
      const work = async () => {
        moment.at(chapter, () => load(chapter.base));
        await repeat(items);
        finish(arrival);
      };
      repeating = work();
      try {
        await repeating;
      } finally {
        repeating = undefined;
      }
      after?.();
    },
    get repeating() {
      return repeating;
    },
  };
}

/** A change that failed fails again, which changes nothing. */
async function settled(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // Its error was reported when it happened.
  }
}
