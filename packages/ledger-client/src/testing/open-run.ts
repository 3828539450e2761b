import { setImmediate as turn } from "node:timers/promises";
import { PlaceLostError } from "@fieldmesh/http";
import { isNewestFirst } from "@fieldmesh/http/internal/pager";
import { type Plan, readerOf } from "../parallel/plan.ts";
import { createRun, type Run } from "../parallel/run.ts";
import { readTime } from "../time.ts";
import { ANCHOR_SIZE, createList, keyOfItem, sent, type Item } from "./timed-list.ts";

const MINUTE = 60_000;
const context = { call: "list", route: "GET /list" };
const byTime = { field: "time", readTime };

/** Starts a run of a list from one minute down to another. Some requests are held until they are released. */
export function openRun(
  items: readonly Item[],
  {
    from,
    low = 0,
    isHeld = () => false,
    ...given
  }: Partial<Plan<Item>> & { from: number; low?: number; isHeld?: (request: string) => boolean },
) {
  const held = new Map<string, PromiseWithResolvers<void>>();
  const list = createList(items, {
    async beforeResponse(request) {
      if (!isHeld(request)) return;
      const gate = Promise.withResolvers<void>();
      held.set(request, gate);
      await gate.promise;
    },
  });
  const whole = { max: sent(from), until: sent(low), place: null, first: null, stop: null };
  const run = createRun<Item>({
    context,
    identity: { ...context, server: "s", path: "p", query: {} },
    byTime,
    range: { min: sent(low), max: sent(from), from: low * MINUTE, to: from * MINUTE },
    given: 0,
    maxItems: Infinity,
    lanes: 2,
    order: "arrival",
    parts: [whole],
    list: { anchorSize: ANCHOR_SIZE, open: list.open, keyOf: keyOfItem, isNewestFirst },
    toMilliseconds: readerOf(byTime, from * MINUTE),
    lostAfter: (count) => new PlaceLostError(context, count, "is lost"),
    ...given,
  });
  return {
    run,
    requests: list.requests,
    /** Returns the minutes at which the parts begin, in order of their first request. */
    parts: () => [...new Set(list.requests.map((request) => minuteOf(request)))],
    async release(request: string, error?: Error) {
      const gate = held.get(request);
      if (gate === undefined) throw new Error(`${request} was not sent`);
      if (error === undefined) gate.resolve();
      else gate.reject(error);
      await turn();
    },
  };
}

const minuteOf = (request: string): number => Date.parse(request.split(" ")[0] ?? "") / MINUTE;

/** Takes the items that are read. Returns their ids. */
export function takeAll(run: Run<Item>): string[] {
  const ids: string[] = [];
  for (let item = run.take(); item !== undefined; item = run.take()) ids.push(item.value.id);
  return ids;
}

/** Takes all items of a run. Returns their ids. */
export async function readAll(run: Run<Item>): Promise<string[]> {
  const ids: string[] = [];
  while (await run.readMore()) ids.push(...takeAll(run));
  return ids;
}

/** Returns the ids of items. */
export const idsOf = (items: readonly Item[]): string[] => items.map(({ id }) => id);
