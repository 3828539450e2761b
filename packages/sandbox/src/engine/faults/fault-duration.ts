import { describeValue, mistake, type Clock, type OptionTable } from "@fieldmesh/core/internal";
import { must } from "../checks.ts";

/** How long a fault is played. */
export interface FaultDuration {
  readonly duration?: number | string | undefined;
  readonly until?: number | undefined;
}

export const DURATION: OptionTable<FaultDuration> = {
  duration: aDuration,
  until: /* @__PURE__ */ must("a time in milliseconds since 1970", (value) =>
    Number.isFinite(value),
  ),
};

const UNITS: readonly (readonly [name: RegExp, ms: number])[] = [
  [/^ms$/, 1],
  [/^s(ec(ond)?s?)?$/, 1_000],
  [/^m(in(ute)?s?)?$/, 60_000],
  [/^h((ou)?rs?)?$/, 3_600_000],
  [/^d(ays?)?$/, 86_400_000],
];

/** Reads a time such as `10 min`, `+10 min` or `90s`. `undefined` for another string. */
export function readDuration(text: string): number | undefined {
  const [, count, name = ""] = /^\+?\s*(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text.trim()) ?? [];
  const [, unit] = UNITS.find(([names]) => names.test(name.toLowerCase())) ?? [];
  const ms = Number(count) * (unit ?? Number.NaN);
  return ms > 0 ? ms : undefined;
}

function aDuration(value: unknown, name: string): number {
  const ms = typeof value === "string" ? readDuration(value) : value;
  if (typeof ms === "number" && ms > 0 && Number.isFinite(ms)) return ms;
  const given = typeof value === "string" ? JSON.stringify(value) : describeValue(value);
  throw mistake(
    `${name} must be more than 0 milliseconds, or a time such as "10 min", "90 s" or "2 h"; it is ${given}.`,
  );
}

/** Replaces a duration by the time when it ends. Throws a TypeError if both are set. */
export function withEnd<Fault extends FaultDuration>(
  owner: string,
  { duration, ...fault }: Fault,
  clock: Clock,
): Fault {
  if (duration === undefined) return fault as unknown as Fault;
  if (fault.until !== undefined)
    throw mistake(`${owner} has both duration and until: remove one of them.`);
  return {
    ...fault,
    until: clock.now() + aDuration(duration, `${owner}.duration`),
  } as unknown as Fault;
}

/** Tells whether a fault is over. */
export function isOver({ until = Infinity }: FaultDuration, clock: Clock): boolean {
  return clock.now() >= until;
}
