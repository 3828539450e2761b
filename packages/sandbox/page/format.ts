/** Writes milliseconds as a person reads them. */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return "…";
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Whether times are those of this machine. All others are UTC, as in the log of a server. */
export const times = { areLocal: false };

/** Writes the time of day. */
export function timeOfDay(ms: number): string {
  return inZone(ms).slice(11, 23);
}

/** Writes a time to the second. */
export function stamp(ms: number): string {
  return inZone(ms).slice(0, 19).replace("T", " ");
}

/** Writes a time with its zone. */
export function zonedStamp(ms: number): string {
  return `${stamp(ms)} ${zoneAt(ms)}`;
}

/** Returns the zone in which times are written: `UTC`, or for example `UTC+5:30`. */
export function zoneAt(ms: number): string {
  const minutes = offsetAt(ms);
  if (minutes === 0) return "UTC";
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const digits = rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`;
  return `UTC${minutes < 0 ? "−" : "+"}${hours}${digits}`;
}

/** The head of a column of times. */
export function timeHead(): string {
  return times.areLocal ? "Time, local" : "Time, UTC";
}

function inZone(ms: number): string {
  return new Date(ms + offsetAt(ms) * 60_000).toISOString();
}

/** Minutes that the clocks of this machine are ahead of UTC. */
function offsetAt(ms: number): number {
  return times.areLocal ? -new Date(ms).getTimezoneOffset() : 0;
}

/** Writes how long it is until a time. */
export function until(ms: number): string {
  if (ms <= 0) return "now";
  const [amount, unit] = inLargestUnit(ms);
  return `in ${Math.ceil(amount)} ${unit}`;
}

/** Writes a span of time in its largest unit. */
export function span(ms: number): string {
  const [amount, unit] = inLargestUnit(ms);
  return `${Math.round(amount * 10) / 10} ${unit}`;
}

function inLargestUnit(ms: number): [amount: number, unit: string] {
  if (ms < 60_000) return [ms / 1_000, "s"];
  if (ms < 3_600_000) return [ms / 60_000, "min"];
  return ms < 86_400_000 ? [ms / 3_600_000, "h"] : [ms / 86_400_000, "d"];
}

/** The default of receivers, in milliseconds. */
const TOLERANCE = 300_000;

/** Says that a receiver rejects a signature because of its time, by the clock of this machine. */
export function ageNote(signedAt: number, now: number): string | undefined {
  const age = now - signedAt;
  if (Math.abs(age) <= TOLERANCE) return undefined;
  return age > 0
    ? `Signed ${span(age)} ago: a receiver rejects it. Use Deliver again.`
    : `Signed ${span(-age)} in the future, by the clock of the sandbox: a receiver rejects it.`;
}

/** Cuts a string in its middle, because its start and its end tell it from others. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${text.slice(0, most - 1 - half)}…${text.slice(-half)}`;
}

/** The tone of an HTTP status: `undefined` is a broken connection. */
export function toneOf(status: number | undefined): Tone {
  if (status === undefined || status >= 500) return "bad";
  return status >= 400 ? "warn" : "good";
}

export type Tone = "good" | "warn" | "bad" | "calm";
