import { checkOptionNames, describeValue, guardInput, isRecord } from "@fieldmesh/core";
import { createRandom } from "../random.ts";
import { checkFault, checkPlace } from "./check-faults.ts";
import type { Fault } from "./fault.ts";

/** What is known of a request when its fault is chosen. */
export interface FaultTarget {
  /** Such as `console`. */
  readonly service: string;
  /** Such as `labels.get`; `undefined` where no route fits. */
  readonly row: string | undefined;
  readonly method: string;
}

/** A fault, and which requests it strikes. */
export type FaultRule = Fault & {
  /** A row such as `labels.get`, or all of a resource: `labels.*`. @default every request */
  readonly on?: string | undefined;
  /** Such as `console`. @default every service */
  readonly service?: string | undefined;
  /** How many requests it strikes; `Infinity` for all. @default 1 */
  readonly times?: number | undefined;
  /** How many of them it lets through first. @default 0 */
  readonly skip?: number | undefined;
};

/** Faults by chance, which are the same in every run of the same seed. */
export interface FaultRate {
  /** The share of requests that is struck, from 0 to 1. */
  readonly rate: number;
  /** The faults to choose from. @default reset, lost, truncate, delay, 503, 429 */
  readonly kinds?: readonly FaultKind[] | undefined;
  /** Decides which requests are struck. @default the seed of the sandbox */
  readonly seed?: number | string | undefined;
  /** As in a rule. @default every request */
  readonly on?: string | undefined;
}

/** A fault by its name, an error by its status, or a fault with all its options. */
export type FaultKind = FaultName | number | Fault;
export type FaultName = "reset" | "lost" | "truncate" | "garbage" | "delay";

/** Rules, of which the first that fits is played; a rate; or a function that decides. */
export type FaultScript =
  | readonly FaultRule[]
  | FaultRate
  | ((target: FaultTarget) => Fault | undefined);

/** Decides over every request. */
export type ChooseFault = (target: FaultTarget) => Fault | undefined;

/** The names that need nothing else to be said. */
export const FAULT_NAMES: readonly FaultName[] = ["reset", "lost", "truncate", "garbage", "delay"];

/** Longer than a call takes, and short enough to wait for. */
const DEFAULT_DELAY = 1_000;
const DEFAULT_KINDS: readonly FaultKind[] = ["reset", "lost", "truncate", "delay", 503, 429];

/** Makes the function that decides; throws a TypeError for a broken script. */
export function compileFaults(script: FaultScript | undefined, seed: number | string): ChooseFault {
  if (script === undefined) return () => undefined;
  if (typeof script === "function") return script;
  return guardInput("What faults got", script, () => {
    if (isRules(script)) return byRules(script);
    if (isRecord(script)) return byRate(script, seed);
    throw new TypeError(
      `faults takes rules in an array, a rate such as { rate: 0.1 }, or a function, and not ${describeValue(script)}.`,
    );
  });
}

/** Tells whether a script can play the fault `stale`, for which the past is kept. */
export function mayBeStale(script: FaultScript | undefined): boolean {
  if (script === undefined || typeof script === "function") return script !== undefined;
  const kinds = "rate" in script ? (script.kinds ?? []) : script;
  return kinds.some((each) => typeof each === "object" && each.kind === "stale");
}

/** TypeScript does not narrow a readonly array by Array.isArray. */
function isRules(script: readonly FaultRule[] | FaultRate): script is readonly FaultRule[] {
  return Array.isArray(script);
}

function byRules(rules: readonly FaultRule[]): ChooseFault {
  for (const [index, rule] of rules.entries()) checkRule(`faults[${index}]`, rule);
  const counted = rules.map((rule) => ({ rule, seen: 0 }));
  return (target) => {
    const found = counted.find((each) => {
      const { on, service, skip = 0, times = 1 } = each.rule;
      if (!fits(on, target.row) || (service !== undefined && service !== target.service))
        return false;
      each.seen++;
      return each.seen > skip && each.seen <= skip + times;
    });
    return found?.rule;
  };
}

const PLACING = ["on", "service", "times", "skip"];

function checkRule(owner: string, rule: FaultRule): void {
  if (!isRecord(rule)) throw new TypeError(`${owner} must be a rule such as { kind: "reset" }.`);
  const { kind, on, service, times = 1, skip = 0 } = rule as FaultRule;
  checkFault(owner, rule as FaultRule, PLACING);
  checkPlace(owner, on, service);
  if (kind === "stale" && on !== "devices.list")
    throw new TypeError(`${owner}: stale is for one row: add on: "devices.list".`);
  for (const [name, value] of Object.entries({ times, skip }))
    if (typeof value !== "number" || !(value >= 0))
      throw new TypeError(`${owner}.${name} must be a number from 0 up.`);
}

function byRate(script: FaultRate, seed: number | string): ChooseFault {
  checkOptionNames("faults", script, ["rate", "kinds", "seed", "on"]);
  const { rate, kinds = DEFAULT_KINDS, seed: own, on } = script;
  checkPlace("faults", on);
  if (typeof rate !== "number" || !(rate >= 0 && rate <= 1))
    throw new TypeError("faults: rate must be a number from 0 to 1.");
  if (!Array.isArray(kinds)) throw new TypeError("faults: kinds must be an array.");
  const faults = (kinds as readonly FaultKind[]).map(toFault);
  for (const [index, fault] of faults.entries()) checkFault(`faults.kinds[${index}]`, fault);
  const [first, ...rest] = faults;
  if (first === undefined) throw new TypeError("faults: kinds must not be empty.");
  const random = createRandom(own ?? seed, "faults");
  return (target) => {
    if (!fits(on, target.row)) return undefined;
    // Both are drawn every time: then a higher rate strikes all that a lower one strikes, in the same way.
    const [chance, fault] = [random.next(), random.pick([first, ...rest])];
    return chance < rate ? fault : undefined;
  };
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
