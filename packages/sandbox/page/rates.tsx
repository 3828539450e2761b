import type { LimitView, RatesView } from "../src/engine/controls/wire.ts";
import { useCall } from "./api.ts";
import { useNow, useSandboxTime } from "./clock-bar.tsx";
import { arePlayed } from "./fault-text.ts";
import { Link } from "./parts.tsx";
import { useStore } from "./store.ts";

/** The requests of the last minute, and what is left of each limit. */
export function Rates() {
  const { settings } = useStore();
  const now = useSandboxTime();
  // A minute passes without requests too.
  const rates = useCall<RatesView | undefined>("GET /sandbox/rates", undefined, [useNow()]);
  const services = Object.entries(rates?.minute ?? {}).filter(([, count]) => count > 0);
  const total = services.reduce((sum, [, count]) => sum + count, 0);
  return (
    // It has its height before its content, so that nothing moves.
    <div class="rates" role="region" aria-label="Requests a minute and limits" tabIndex={0}>
      {rates !== undefined && settings !== undefined && (
        <>
          {arePlayed(settings.faults, now) && <Link to="faults">Faults are on</Link>}
          <strong>
            {total.toLocaleString("en")} {total === 1 ? "request" : "requests"} in the last minute
          </strong>
          {rates.limits.map((limit) => (
            <Limit key={`${limit.service} ${limit.kind} ${limit.sender}`} limit={limit} />
          ))}
        </>
      )}
    </div>
  );
}

function Limit({ limit: { service, kind, sender, perMinute, left } }: { limit: LimitView }) {
  if (perMinute === null || left === null) return null;
  const isLow = left < perMinute / LOW;
  return (
    <span class={left === 0 ? "bad" : isLow ? "warn" : "muted"} title={sender}>
      {service} {kind === "requests" ? "" : `${kind} `}
      {left.toLocaleString("en")} of {perMinute.toLocaleString("en")} left
    </span>
  );
}

/** A tenth is little. */
const LOW = 10;
