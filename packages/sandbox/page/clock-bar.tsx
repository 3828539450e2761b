import { useEffect, useState } from "preact/hooks";
import { call } from "./api.ts";
import { stamp, zoneAt } from "./format.ts";
import { Action } from "./parts.tsx";
import { type State, useStore } from "./store.ts";

const STEPS = [
  ["+1 min", 60_000],
  ["+10 min", 600_000],
  ["+1 h", 3_600_000],
  ["+1 d", 86_400_000],
] as const;

/** The time of the sandbox, and what moves it. */
export function ClockBar() {
  const { clock } = useStore();
  const now = useNow();
  if (clock === undefined) return <span class="clock" />;
  const time = timeAt(clock, now);
  const move = (body: object): Promise<unknown> => call("POST /sandbox/clock", { body });
  return (
    <div class="clock" role="group" aria-label="Clock of the sandbox">
      <time dateTime={new Date(time).toISOString()}>{stamp(time)}</time>{" "}
      <span class="muted">
        {zoneAt(time)}
        {clock.kind !== "system" && (clock.isPaused ? ", paused" : ", running")}
      </span>
      {clock.kind === "steerable" && (
        <Action run={() => move({ action: clock.isPaused ? "run" : "pause" })}>
          {clock.isPaused ? "Run" : "Pause"}
        </Action>
      )}
      {clock.kind !== "system" &&
        STEPS.map(([name, ms]) => (
          <Action
            key={name}
            label={`Advance the clock by ${name.slice(1)}`}
            run={() => move({ action: "advance", ms })}
          >
            {name}
          </Action>
        ))}
    </div>
  );
}

/** Returns the time of the sandbox at a time of the machine. */
function timeAt(clock: NonNullable<State["clock"]>, now: number): number {
  return clock.isPaused ? clock.now : clock.now + Math.max(0, now - clock.receivedAt);
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

/** The time of the sandbox, each second. */
export function useSandboxTime(): number {
  const now = useNow();
  const { clock } = useStore();
  return clock === undefined ? now : timeAt(clock, now);
}
