import {
  anything,
  isRecord,
  mistake,
  options,
  readInput,
  requires,
  type OptionTable,
} from "@fieldmesh/core/internal";
import type { Clock } from "@fieldmesh/core";
import { aNumber, listOf } from "../checks.ts";
import { createRandom, type RandomPosition } from "../random.ts";
import { checkPlace, readFault } from "./check-faults.ts";
import { DURATION, isOver, withEnd } from "./fault-duration.ts";
import type { Fault } from "../serve/fault.ts";

/** What is known about a request when its fault is chosen. */
export interface FaultTarget {
  /** For example `console`. */
  readonly service: string;
  /** For example `labels.get`. `undefined` if no route matches. */
  readonly row: string | undefined;
  readonly method: string;
}

/** A fault, and the requests that it affects. */
export type FaultRule = Fault & {
  /** A row such as `labels.get`, or all rows of a resource: `labels.*`. @default every request */
  readonly on?: string | undefined;
  /** A service such as `console`. @default every service */
  readonly service?: string | undefined;
  /** How many requests it affects. `Infinity` for all. @default 1, and all of them until it ends with `duration` or `until` */
  readonly times?: number | undefined;
  /** How many matching requests it skips first. @default 0 */
  readonly skip?: number | undefined;
  /**
   * How long it is played, from when it is set, by the clock of the sandbox: milliseconds, or a time such as `"10 min"`, `"90 s"` or
   * `"2 h"`. @default no end
   */
  readonly duration?: number | string | undefined;
  /** When it ends, in milliseconds since 1970 by the clock of the sandbox. `duration` sets it. @default no end */
  readonly until?: number | undefined;
};

/** Random faults. They are the same in every run with the same seed. */
export interface FaultRate {
  /** The share of requests that fail, from 0 to 1. */
  readonly rate: number;
  /** The faults to choose from. @default reset, lost, truncate, delay, 503, 429 */
  readonly kinds?: readonly FaultKind[] | undefined;
  /** Determines which requests fail. @default the seed of the sandbox */
  readonly seed?: number | string | undefined;
  /** As in a rule. @default every request */
  readonly on?: string | undefined;
  /** As in a rule. @default no end */
  readonly duration?: number | string | undefined;
  /** As in a rule. @default no end */
  readonly until?: number | undefined;
}

/** A fault by name, an error by status, or a fault with all its options. */
export type FaultKind = FaultName | number | Fault;
/** The name of a fault that needs no other option. {@link Fault} describes each. */
export type FaultName = "reset" | "lost" | "truncate" | "garbage" | "delay";

/** A list of rules, of which the first that matches applies; a rate of random faults; or a function that chooses a fault. */
export type FaultScript =
  | readonly FaultRule[]
  | FaultRate
  | ((target: FaultTarget) => Fault | undefined);

export type ChooseFault = (target: FaultTarget) => Fault | undefined;

/** A script that is being played. */
export interface PlayedFaults {
  /** With the end of each duration. */
  readonly script: FaultScript | undefined;
  readonly choose: ChooseFault;
  /** How far it was played: what its rules have counted, or where its random sequence is. A function has none. */
  readonly position: () => readonly number[];
}

/** The names of faults without required options. */
export const FAULT_NAMES: readonly FaultName[] = ["reset", "lost", "truncate", "garbage", "delay"];

/** Longer than a call, and short enough to wait for. */
const DEFAULT_DELAY = 1_000;
const DEFAULT_KINDS: readonly FaultKind[] = ["reset", "lost", "truncate", "delay", 503, 429];

interface Playing {
  readonly seed: number | string;
  /** The clock of the services, which ends a fault with a duration. */
  readonly clock: Clock;
  /** @default the start */
  readonly from?: readonly number[] | undefined;
}

/** Creates the function that chooses faults, from a position on. Throws a TypeError for an invalid script. */
export function compileFaults(
  script: FaultScript | undefined,
  { seed, clock, from = [] }: Playing,
): PlayedFaults {
  if (script === undefined) return { script, choose: () => undefined, position: () => [] };
  if (typeof script === "function") return { script, choose: script, position: () => [] };
  return readInput("The argument of faults", () => {
    if (isRules(script)) return byRules(script, clock, from);
    if (isRecord(script)) return byRate(script, seed, clock, from);
    throw requires(
      "faults",
      "rules in an array, a rate such as { rate: 0.1 }, or a function",
      script,
    );
  });
}

/** Tells whether a script can play the fault `stale`, which requires earlier lists. */
export function mayBeStale(script: FaultScript | undefined): boolean {
  if (script === undefined || typeof script === "function") return script !== undefined;
  const kinds = "rate" in script ? (script.kinds ?? []) : script;
  return kinds.some((each) => typeof each === "object" && each.kind === "stale");
}

/** TypeScript does not narrow a readonly array with Array.isArray. */
function isRules(script: readonly FaultRule[] | FaultRate): script is readonly FaultRule[] {
  return Array.isArray(script);
}

function byRules(
  script: readonly FaultRule[],
  clock: Clock,
  from: readonly number[],
): PlayedFaults {
  const rules = script.map((rule, index) => {
    const owner = `faults[${index}]`;
    const read = withEnd(owner, readRule(owner, rule), clock);
    return read.until === undefined ? read : { times: Infinity, ...read };
  });
  const counted = rules.map((rule, index) => ({ rule, seen: from[index] ?? 0 }));
  const choose: ChooseFault = (target) => {
    const found = counted.find((each) => {
      const { on, service, skip = 0, times = 1 } = each.rule;
      if (isOver(each.rule, clock)) return false;
      if (!fits(on, target.row) || (service !== undefined && service !== target.service))
        return false;
      each.seen++;
      return each.seen > skip && each.seen <= skip + times;
    });
    return found?.rule;
  };
  return { script: rules, choose, position: () => counted.map(({ seen }) => seen) };
}

/** The checks of what a rule has besides its fault. */
const PLACING: OptionTable<Omit<FaultRule, "kind">> = {
  ...DURATION,
  on: anything,
  service: anything,
  times: /* @__PURE__ */ aNumber(0),
  skip: /* @__PURE__ */ aNumber(0),
};

function readRule(owner: string, rule: FaultRule): FaultRule {
  if (!isRecord(rule)) throw mistake(`${owner} must be a rule such as { kind: "reset" }.`);
  const read = readFault(owner, rule as FaultRule, PLACING);
  checkPlace(owner, read.on, read.service);
  if (read.kind === "stale" && read.on !== "devices.list")
    throw mistake(`${owner}: stale is for one row: add on: "devices.list".`);
  return read;
}

const readRate = /* @__PURE__ */ options<FaultRate>("faults", {
  rate: { required: /* @__PURE__ */ aNumber(0, 1) },
  kinds: someFaults,
  seed: anything,
  on: anything,
  ...DURATION,
});

function byRate(
  given: FaultRate,
  seed: number | string,
  clock: Clock,
  from: readonly number[],
): PlayedFaults {
  const { rate, kinds = DEFAULT_KINDS, seed: own, on } = readRate(given, "faults");
  const script = withEnd("faults", given, clock);
  checkPlace("faults", on);
  const faults = kinds.map(toFault) as [Fault, ...Fault[]];
  const position = from.length === 0 ? undefined : (from as RandomPosition);
  const random = createRandom(own ?? seed, "faults", position);
  const choose: ChooseFault = (target) => {
    if (isOver(script, clock) || !fits(on, target.row)) return undefined;
    // Draws both every time, so that a higher rate affects all requests that a lower one affects, with the same faults.
    const [chance, fault] = [random.next(), random.pick(faults)];
    return chance < rate ? fault : undefined;
  };
  return { script, choose, position: () => random.position() };
}

function someFaults(value: unknown, name: string): Fault[] {
  const faults = listOf((kind, at) => readFault(at, toFault(kind as FaultKind)))(value, name);
  if (faults.length === 0) throw mistake(`${name} must not be empty.`);
  return faults;
}

function fits(on: string | undefined, row: string | undefined): boolean {
  if (on === undefined || on === "*") return true;
  return on.endsWith(".*") ? (row?.startsWith(on.slice(0, -1)) ?? false) : row === on;
}

function toFault(kind: FaultKind): Fault {
  if (typeof kind === "number") return { kind: "status", status: kind };
  if (kind === "delay") return { kind, ms: DEFAULT_DELAY };
  return typeof kind === "string" ? { kind } : kind;
}
