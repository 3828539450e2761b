import { checkOptionNames, isRecord, mistake, requires, readInput } from "@fieldmesh/core/internal";
import { createRandom, type RandomPosition } from "../random.ts";
import { checkFault, checkPlace } from "./check-faults.ts";
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
  /** How many requests it affects. `Infinity` for all. @default 1 */
  readonly times?: number | undefined;
  /** How many matching requests it skips first. @default 0 */
  readonly skip?: number | undefined;
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

/** Chooses the fault of a request. */
export type ChooseFault = (target: FaultTarget) => Fault | undefined;

/** A script that is being played. */
export interface PlayedFaults {
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

/** Creates the function that chooses faults, from a position on. Throws a TypeError for an invalid script. */
export function compileFaults(
  script: FaultScript | undefined,
  seed: number | string,
  from: readonly number[] = [],
): PlayedFaults {
  if (script === undefined) return { script, choose: () => undefined, position: () => [] };
  if (typeof script === "function") return { script, choose: script, position: () => [] };
  return readInput("The argument of faults", () => {
    if (isRules(script)) return { script, ...byRules(script, from) };
    if (isRecord(script)) return { script, ...byRate(script, seed, from) };
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

type Playing = Pick<PlayedFaults, "choose" | "position">;

function byRules(rules: readonly FaultRule[], from: readonly number[]): Playing {
  for (const [index, rule] of rules.entries()) checkRule(`faults[${index}]`, rule);
  const counted = rules.map((rule, index) => ({ rule, seen: from[index] ?? 0 }));
  const choose: ChooseFault = (target) => {
    const found = counted.find((each) => {
      const { on, service, skip = 0, times = 1 } = each.rule;
      if (!fits(on, target.row) || (service !== undefined && service !== target.service))
        return false;
      each.seen++;
      return each.seen > skip && each.seen <= skip + times;
    });
    return found?.rule;
  };
  return { choose, position: () => counted.map(({ seen }) => seen) };
}

const PLACING = ["on", "service", "times", "skip"];

function checkRule(owner: string, rule: FaultRule): void {
  if (!isRecord(rule)) throw mistake(`${owner} must be a rule such as { kind: "reset" }.`);
  const { kind, on, service, times = 1, skip = 0 } = rule as FaultRule;
  checkFault(owner, rule as FaultRule, PLACING);
  checkPlace(owner, on, service);
  if (kind === "stale" && on !== "devices.list")
    throw mistake(`${owner}: stale is for one row: add on: "devices.list".`);
  for (const [name, value] of Object.entries({ times, skip }))
    if (typeof value !== "number" || !(value >= 0))
      throw mistake(`${owner}.${name} must be a number from 0 up.`);
}

function byRate(script: FaultRate, seed: number | string, from: readonly number[]): Playing {
  checkOptionNames("faults", script, ["rate", "kinds", "seed", "on"]);
  const { rate, kinds = DEFAULT_KINDS, seed: own, on } = script;
  checkPlace("faults", on);
  if (typeof rate !== "number" || !(rate >= 0 && rate <= 1))
    throw mistake("faults: rate must be a number from 0 to 1.");
  if (!Array.isArray(kinds)) throw mistake("faults: kinds must be an array.");
  const faults = (kinds as readonly FaultKind[]).map(toFault);
  for (const [index, fault] of faults.entries()) checkFault(`faults.kinds[${index}]`, fault);
  const [first, ...rest] = faults;
  if (first === undefined) throw mistake("faults: kinds must not be empty.");
  const position = from.length === 0 ? undefined : (from as RandomPosition);
  const random = createRandom(own ?? seed, "faults", position);
  const choose: ChooseFault = (target) => {
    if (!fits(on, target.row)) return undefined;
    // Draws both every time, so that a higher rate affects all requests that a lower one affects, with the same faults.
    const [chance, fault] = [random.next(), random.pick([first, ...rest])];
    return chance < rate ? fault : undefined;
  };
  return { choose, position: () => random.position() };
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
