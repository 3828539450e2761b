import type { RewoundView } from "./wire.ts";

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** Says what going back removes: `removes 10 requests, 3 devices, 4 deliveries; sets the clock back 4 days`. */
export function describeRewound({ requests, devices, deliveries, ms }: RewoundView): string {
  const counts = [
    [requests, "request", "requests"],
    [devices, "device", "devices"],
    [deliveries, "delivery", "deliveries"],
  ] as const;
  const removed = counts.filter(([count]) => count > 0).map(counted);
  const back = counts.filter(([count]) => count < 0).map(counted);
  const time = timeText(ms);
  return [
    `removes ${removed.join(", ")}`,
    ...(back.length === 0 ? [] : [`brings back ${back.join(", ")}`]),
    ...(time === undefined ? [] : [`sets the clock back ${time}`]),
  ].join("; ");
}

function counted([count, one, many]: readonly [number, string, string]): string {
  const amount = Math.abs(count);
  return `${amount.toLocaleString("en")} ${amount === 1 ? one : many}`;
}

/** The time in its largest unit. `undefined` for less than a second. */
function timeText(ms: number): string | undefined {
  const found = UNITS.find(([, length]) => ms >= length);
  if (found === undefined) return undefined;
  const [name, length] = found;
  const amount = Math.round(ms / length);
  return `${amount} ${name}${amount === 1 ? "" : "s"}`;
}
