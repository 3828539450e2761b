import { DAY, HOUR, orders, START, startNights, stores } from "./nights.ts";

const MINUTE = 60_000;
const SINCE = START - 3 * DAY;
const CODES = ["cpni.verification.requested", "psim_order.shipped"];
const WRONG_DATES = [{ created_at: "soon" }, { created_at: undefined }];

/** An event of a plan, and what must become of it. */
interface Planned {
  readonly id: string;
  /** When no run has read it yet: the index of the next run. */
  readonly night: number;
  readonly isBroken: boolean;
  /** The handlers work from this night on. */
  readonly worksFrom: number;
  readonly isCode: boolean;
  /** When it is delivered. Never if the receiver is down. */
  deliverAt: number;
  /** The last moment at which its delivery is not too late. */
  readonly until: number;
  wasDelivered: boolean;
}

/**
 * Plays nights at random: wrong dates ahead and behind, failures, items that are not events, deliveries beside catch-up, pauses
 * longer than the memory of the store, and an order that changes. Returns what is wrong afterwards.
 *
 * An event that was delivered and then forgotten before a run could read it is left out: nothing knows that it was handled.
 */
export async function playNights(seed: number): Promise<string[]> {
  const random = randomFrom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const chance = (share: number): boolean => random() < share;
  const kind = pick(stores);
  const nights = startNights(pick(orders), { kind, page: 3 + Math.floor(random() * 6) });
  const planned: Planned[] = [];
  const pauses: { readonly from: number; readonly to: number }[] = [];
  const givenUp: string[] = [];
  let open: readonly { readonly id: string }[] = [];

  function plan(night: number, gap: number): void {
    const id = `evt_${planned.length}`;
    const type = chance(0.3) ? pick(CODES) : "plan.created";
    const isBroken = chance(0.07);
    // After a longer pause, nothing tells an event with a wrong date from one that was read, or delivered and forgotten.
    const isBehind = chance(0.1) && gap < 5;
    const ahead = isBehind
      ? -Math.floor(random() * 46 * HOUR)
      : chance(0.1)
        ? 10 * MINUTE + random() * (gap === 1 ? 10 : 0.04) * DAY
        : 0;
    const wrong = chance(0.05) && gap === 1 ? pick(WRONG_DATES) : {};
    const now = nights.now();
    nights.add(id, ahead, { type, ...(isBroken && { data: null }), ...wrong });
    const worksFrom = chance(0.15) ? night + Math.floor(random() * 6) : 0;
    if (worksFrom > night) nights.failing.add(id);
    const deliverAt = isBroken || chance(0.6) ? Infinity : now + random() * 70 * HOUR;
    const until = Math.min(now, now + ahead) + 72 * HOUR;
    const isCode = type !== "plan.created";
    planned.push({ id, night, isBroken, worksFrom, isCode, deliverAt, until, wasDelivered: false });
  }

  async function deliverUntil(end: number): Promise<void> {
    const due = planned.filter(({ deliverAt }) => deliverAt <= nights.now());
    for (const event of due) {
      event.deliverAt = Infinity;
      if (end - nights.now() > 6 * DAY || nights.failing.has(event.id)) continue;
      await nights.deliver(event.id);
      event.wasDelivered = nights.now() < event.until;
    }
  }

  for (let night = 0; night < 18; night++) {
    const isAfter = night > 10;
    const gap = isAfter || night === 0 ? 1 : pick([1, 1, 1, 2, 5, 9]);
    const share = isAfter ? 0 : random() / gap;
    const end = nights.now() + gap * DAY;
    pauses.push({ from: night === 0 ? SINCE : nights.now(), to: end });
    while (nights.now() < end) {
      nights.wait(2 * HOUR);
      await deliverUntil(end);
      if (chance(share)) plan(night, gap);
    }
    for (const { id, worksFrom } of planned)
      if (worksFrom <= night || isAfter) nights.failing.delete(id);
    if (chance(0.1)) nights.world.order = pick(orders);
    const since = night === 0 ? { since: new Date(SINCE) } : {};
    const totals = await nights.night({ ...since, concurrency: pick([1, 3]) });
    givenUp.push(...totals.givenUp.map(({ id }) => id));
    open = totals.open;
  }

  return planned.flatMap(({ id, night, isBroken, isCode, worksFrom, wasDelivered }) => {
    const { count = 0, source } = nights.runs.get(id) ?? {};
    const named = givenUp.filter((each) => each === id).length;
    const { from, to: read } = pauses[night]!;
    const date = Date.parse(nights.items.find((each) => each.id === id)!.created_at);
    const isDated = date <= read + 5 * MINUTE;
    const end = isCode ? (isDated ? date : read) + 72 * HOUR : read;
    const done = pauses.find(({ to }, index) => to >= end && index >= Math.min(worksFrom, 11));
    // The store may have forgotten its delivery when nothing but that keeps it from being handled.
    const mayBeUnknown = done !== undefined && done.to - (isDated ? date : from) >= 7 * DAY;
    const item = JSON.stringify(nights.items.find((each) => each.id === id));
    const wrong = [
      (count > 1 || (count === 0 && named === 0)) && `handled ${count} times`,
      (named > 1 || (named === 1 && !isBroken && !mayBeUnknown)) && `given up ${named} times`,
      open.some((event) => event.id === id) && "open at the end",
      isCode && wasDelivered && source !== "webhook" && "its code was taken",
    ].filter((each) => each !== false);
    return wrong.map((each) => `seed ${seed}, ${nights.world.order}, ${item}: ${each}`);
  });
}

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
