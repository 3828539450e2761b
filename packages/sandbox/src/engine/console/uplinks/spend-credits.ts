import type { DeviceRecord } from "../state/state.ts";

/** How many of the due uplinks of a device have been paid, and the credits that were left after the last of them. */
export interface Paid {
  readonly count: number;
  readonly balance: number;
}

interface Due {
  readonly credits: number;
  readonly now: number;
  readonly interval: number;
}

/**
 * Spends credits on the due uplinks of devices, in the order of time, so the outcome does not depend on how far the clock moved at
 * once. Uplinks of the same millisecond are in the order of the devices.
 */
export function spendCredits(
  devices: readonly DeviceRecord[],
  { credits, now, interval }: Due,
): readonly Paid[] {
  const countUntil = ({ next_uplink }: DeviceRecord, time: number): number =>
    time < next_uplink ? 0 : Math.floor((time - next_uplink) / interval) + 1;
  const countAll = (time: number): number =>
    devices.reduce((sum, device) => sum + countUntil(device, time), 0);
  const all = countAll(now);
  const [until, next] = all <= credits ? [now, now] : lastPaid(devices, credits, now, countAll);
  let left = Math.max(0, credits - countAll(until));
  const counts = devices.map((device) => {
    const before = countUntil(device, until);
    const more = Math.min(left, countUntil(device, next) - before);
    left -= more;
    return before + more;
  });
  const balances = new Map<number, number>();
  const lastOf = (at: number): number =>
    (devices[at]?.next_uplink ?? 0) + ((counts[at] ?? 0) - 1) * interval;
  // After the last paid uplink of a device, each other device has at most one.
  const latestFirst = [...devices.keys()]
    .filter((at) => counts[at] !== 0)
    .toSorted((a, b) => lastOf(b) - lastOf(a) || b - a);
  for (const [later, at] of latestFirst.entries()) balances.set(at, left + later);
  return counts.map((count, at) => ({ count, balance: balances.get(at) ?? 0 }));
}

/** Returns the last millisecond whose uplinks are all paid, and the next one, by bisection: the counts only grow. */
function lastPaid(
  devices: readonly DeviceRecord[],
  credits: number,
  now: number,
  countAll: (time: number) => number,
): [until: number, next: number] {
  const first = devices.reduce((time, each) => Math.min(time, each.next_uplink), now);
  let [until, next] = [Math.floor(first) - 1, Math.ceil(now)];
  while (next - until > 1) {
    const middle = Math.floor((until + next) / 2);
    if (countAll(middle) <= credits) until = middle;
    else next = middle;
  }
  return [until, Math.min(next, now)];
}
