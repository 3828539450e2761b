import { isPromise } from "@fieldmesh/core/internal";
// Why it is so: docs/decisions/30-going-back-repeats-requests.md
import type { RandomPosition } from "../random.ts";
import type { Instant, Moment } from "./moment.ts";

/** Makes a change, and remembers how to repeat it unless `isLost`. A change within a change belongs to the outer one. */
export type Change<Current> = <T>(
  work: () => T,
  repeat: (current: Current) => unknown,
  isLost?: () => boolean,
) => T;

/** What happened since the start or a restore, so that it can be repeated up to any of the last requests. */
export interface Journal<Current, Base> {
  readonly change: Change<Current>;
  arrive(number: number, state: ArrivalState): void;
  /** Returns the arrival of a request, if the sandbox can go back to it. */
  find(number: number): Arrival | undefined;
  /** Returns a function that restores what is remembered now. */
  mark(): () => void;
  /** Begins again from a base: a snapshot, or `undefined` for new data. */
  begin(base: Base | undefined): void;
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
  /** The size of the body. */
  readonly size: number;
}

export interface Arrival extends Instant, ArrivalState {
  readonly number: number;
}

interface Made<Current> extends Instant {
  readonly repeat: (current: Current) => unknown;
  readonly isLost: (() => boolean) | undefined;
  /** Whether the responses to all earlier requests were complete. */
  readonly isAlone: boolean;
  readonly random: RandomPosition;
}

/** What happened since a base. */
interface Chapter<Current, Base> extends Instant {
  readonly base: Base | undefined;
  readonly items: (Arrival | Made<Current>)[];
  arrivals: number;
  /** The size of the bodies of all arrivals. */
  size: number;
}

export interface JournalSetting<Current, Base> {
  readonly moment: Moment;
  /** How many requests it can go back. */
  readonly limit: number;
  /** The size of all bodies that are kept together. */
  readonly mostBytes: number;
  readonly current: () => Current;
  readonly save: () => Base;
  /** The sequence that changes draw from which are repeated by their outcome. */
  readonly random: { position(): RandomPosition; continueAt(position: RandomPosition): void };
}

/** Copies the data every `limit` requests, or when their bodies fill half of `mostBytes`, and repeats the requests after it. */
export function createJournal<Current, Base>(
  setting: JournalSetting<Current, Base>,
): Journal<Current, Base> {
  const { moment, limit, mostBytes, current, save, random } = setting;
  let chapters: Chapter<Current, Base>[] = [];
  let inside = false;
  let open = 0;
  let repeating: Promise<unknown> | undefined;

  const begin = (base: Base | undefined) => {
    chapters.push({ base, items: [], arrivals: 0, size: 0, ...moment.instant() });
    // Older chapters are needed only as long as the later ones hold fewer requests than can be gone back.
    const later = () => chapters.slice(1).reduce((sum, { arrivals }) => sum + arrivals, 0);
    // Each one holds a copy of the data, so one that has lost a request is not worth its place.
    const isNeeded = () => later() < limit && !chapters[0]?.items.some(hasLost);
    while (chapters.length > 1 && !isNeeded()) chapters.shift();
  };

  /** Finds the chapter of a request to which the sandbox can go back. */
  const locate = (number: number) => {
    const isIt = (item: Arrival | Made<Current>) => "number" in item && item.number === number;
    for (const [index, chapter] of chapters.entries()) {
      const at = chapter.items.findIndex(isIt);
      if (at !== -1 && !chapter.items.slice(0, at).some(hasLost))
        return { index, chapter, at, arrival: chapter.items[at] as Arrival };
    }
    return undefined;
  };

  const change: Change<Current> = (work, repeat, isLost) => {
    if (inside || repeating !== undefined) return work();
    const instant = moment.instant();
    const made = { ...instant, repeat, isLost, isAlone: open === 0, random: random.position() };
    if (limit > 0) chapters.at(-1)?.items.push(made);
    inside = true;
    try {
      const result = moment.at(instant, work);
      if (isPromise(result)) {
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
    const isLong = ({ arrivals, size }: Chapter<Current, Base>) =>
      arrivals >= limit || (size > 0 && 2 * size >= mostBytes);
    if (last !== undefined && isLong(last) && open === 0) begin(save());
    const chapter = chapters.at(-1);
    if (chapter === undefined) return;
    chapter.items.push({ ...moment.instant(), ...state, number });
    chapter.arrivals++;
    chapter.size += state.size;
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
    find: (number) => locate(number)?.arrival,
    mark: () => {
      const marked = chapters.map((chapter) => ({ ...chapter, items: [...chapter.items] }));
      return () => void (chapters = marked);
    },
    clear: () => void (chapters = []),
    back: async (number, { load, finish, after }) => {
      const busy = () => repeating;
      while (busy() !== undefined) await busy();
      const found = locate(number);
      if (found === undefined) throw outOfReach(number, limit);
      const { index, chapter, at, arrival } = found;
      const { items } = chapter;
      chapters = chapters.slice(0, index + 1);
      items.length = at;
      const arrivals = items.filter((item) => "number" in item);
      chapter.arrivals = arrivals.length;
      chapter.size = arrivals.reduce((sum, { size }) => sum + size, 0);
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

function hasLost(item: Arrival | Pick<Made<never>, "isLost">): boolean {
  return "isLost" in item && item.isLost?.() === true;
}

export function outOfReach(number: number, limit: number): RangeError {
  return new RangeError(
    `Request ${number} is not one of the last ${limit} that the sandbox can go back to, or the body of an earlier request was forgotten. Go back to a later request, or set logSize and logBytes to more.`,
  );
}

/** A change that failed fails again, which changes nothing. */
async function settled(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // Its error was reported when it happened.
  }
}
