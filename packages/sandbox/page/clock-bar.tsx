import { useEffect, useState } from "preact/hooks";
import { stamp } from "./format.ts";
import { useStore } from "./store.ts";

/** The time of the sandbox. */
export function ClockBar() {
  const { clock } = useStore();
  const now = useNow();
  if (clock === undefined) return <span class="clock muted">–</span>;
  const time = clock.isVirtual ? clock.now : clock.now + now - clock.receivedAt;
  return (
    <span class="clock">
      <time dateTime={new Date(time).toISOString()}>{stamp(time)}</time>{" "}
      <span class="muted">{clock.isVirtual ? "virtual" : "UTC"}</span>
    </span>
  );
}

/** The time of the machine, each second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
