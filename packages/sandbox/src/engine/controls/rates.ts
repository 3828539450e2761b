import type { Clock } from "@fieldmesh/core";
import type { WritableLog } from "../log/request-log.ts";
import type { RateWindows } from "../serve/rate-limit.ts";
import type { Served, ServiceName } from "../services/served.ts";
import type { LimitView, RatesView } from "./wire.ts";

const MINUTE = 60_000;

/** Returns how many requests each service received in the last minute, and what is left of each limit. */
export function viewRates(source: {
  readonly clock: Clock;
  readonly log: WritableLog;
  readonly served: Served;
}): RatesView {
  const { log, served } = source;
  const now = source.clock.now();
  const names = Object.keys(served) as ServiceName[];
  const minute: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  for (const { service, time } of log.requests())
    if (time > now - MINUTE) minute[service] = (minute[service] ?? 0) + 1;
  const limits = names.flatMap((service) => limitsOf(service, served, now));
  return { minute, limits };
}

function limitsOf(service: ServiceName, served: Served, now: number): LimitView[] {
  const { perMinute, windows } = served[service];
  const kinds = Object.entries(perMinute) as [LimitView["kind"], number][];
  return kinds.flatMap(([kind, limit]): LimitView[] => {
    const most = Number.isFinite(limit) ? limit : null;
    const shared = { service, kind, perMinute: most };
    const own = sendersOf(windows, kind, now).map(([sender, { ends, count }]) => ({
      ...shared,
      sender: kind === "requests" ? sender : ownerOf(sender, served),
      left: most === null ? null : Math.max(0, most - count),
      resetsAt: ends,
    }));
    // Before the first request, there is a limit too.
    return own.length > 0 ? own : [{ ...shared, sender: "", left: most, resetsAt: null }];
  });
}

/** Returns who has sent something in the current minute. The mobile service counts reads and writes of a key. */
function sendersOf(windows: RateWindows, kind: LimitView["kind"], now: number) {
  const current = [...windows].filter(([, { ends }]) => ends > now);
  if (kind === "requests") return current;
  const start = `${kind} `;
  return current
    .filter(([name]) => name.startsWith(start))
    .map(([name, window]) => [name.slice(start.length), window] as const);
}

/** Names a key without showing it. */
function ownerOf(authorization: string, { mobile }: Served): string {
  const sent = authorization.replace(/^Bearer /, "");
  if (sent === mobile.liveApiKey) return "live key";
  const [role] = Object.entries(mobile.keys).find(([, key]) => key === sent) ?? [];
  return role === undefined ? "another key" : `${role} key`;
}
