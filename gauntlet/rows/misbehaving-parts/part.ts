import { setTimeout as sleep } from "node:timers/promises";
import { KEY, showsKey } from "../../run/canary.ts";
import type { Case, Trial } from "../../run/cases.ts";

/** A part of others that misbehaves: a function of the user, a store, a connection, another client, a stream. */
export interface OtherRow {
  /** The part, and what it does. */
  readonly fault: string;
  /** The required result in a few words, as `run` returns it. */
  readonly ends: string;
  /** The same as a sentence. */
  readonly sentence: string;
  readonly run: (trial: Trial) => Promise<string>;
}

/** Returns the cases of the rows, for what uses the parts. */
export function otherCases(door: string, rows: readonly OtherRow[]): Case[] {
  return rows.map(({ fault, ends, sentence, run }) => ({
    family: "Parts of others",
    fault,
    door,
    expected: ends,
    sentence,
    run,
  }));
}

/** Misbehaves the first time, and works from then on. */
export function once<T>(bad: () => unknown, good: () => T): () => T {
  let isFirst = true;
  return () => {
    if (!isFirst) return good();
    isFirst = false;
    return bad() as T;
  };
}

/** Returns a copy of a store or an order, one of whose functions misbehaves the first time. */
export function spoilOnce<T extends object>(
  working: T,
  name: keyof T & string,
  bad: () => unknown,
): T {
  const work = working[name] as (...given: readonly unknown[]) => Promise<unknown>;
  let isFirst = true;
  const method = async (...given: readonly unknown[]): Promise<unknown> => {
    if (!isFirst) return await work(...given);
    isFirst = false;
    return await (bad() as Promise<unknown>);
  };
  return { ...working, [name]: method };
}

export const never = () => new Promise<never>(() => undefined);

export const late = <T>(milliseconds: number, value: T) => sleep(milliseconds, value);

export const throws = (error: unknown) => () => {
  throw error;
};

export const rejects = (error: unknown) => () => Promise.reject(error);

/** A promise of others, which throws after it has settled. */
export function throwsAfter(value: unknown): PromiseLike<unknown> {
  return {
    // oxlint-disable-next-line unicorn/no-thenable -- it is what the row is about
    then(resolve: (settled: unknown) => void, reject: (error: unknown) => void): never {
      resolve(value);
      reject(new Error("after it has settled"));
      throw new Error("after it has settled");
    },
  } as PromiseLike<unknown>;
}

/** An error of others that contains the key. */
export const TELLTALE = new Error(`could not use ${KEY}`);

/** Returns a mark if the key can be seen in what was reported. */
export function shown(seen: unknown): string {
  return showsKey(seen) ? " KEY-SHOWN" : "";
}

/** Waits for a part that has no limit of its own: at most this long, in which everything with a limit has ended. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | "hangs"> {
  const end = new AbortController();
  try {
    const limit = sleep(milliseconds, "hangs" as const, { signal: end.signal });
    limit.catch(() => undefined);
    return await Promise.race([work, limit]);
  } finally {
    end.abort();
  }
}
