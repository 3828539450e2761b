import {
  wholeNumber,
  checkOptionNames,
  type Clock,
  describeValue,
  hasMethod,
  isRecord,
  mistake,
} from "@fieldmesh/core/internal";
import type { SandboxOptions } from "./sandbox-options.ts";
import { type OptionKind, type ServiceName, serviceOptions } from "../services/served.ts";

export const DEFAULT_SEED = 1;
export const DEFAULT_LOG_SIZE = 10_000;
export const DEFAULT_LOG_BYTES = 64 * 2 ** 20;

const OPTIONS: Readonly<Record<keyof SandboxOptions, true>> = {
  seed: true,
  clock: true,
  faults: true,
  latency: true,
  logSize: true,
  logBytes: true,
  snapshot: true,
  console: true,
  ledger: true,
  mapper: true,
  mobile: true,
};
const OPTION_NAMES = [...Object.keys(OPTIONS), "port", "host", "cors"];

/** Throws a TypeError for invalid options of a sandbox. */
export function checkOptions(options: SandboxOptions<Clock>): void {
  checkOptionNames("The sandbox", options, OPTION_NAMES);
  const { seed = DEFAULT_SEED, clock, latency = 0, snapshot } = options;
  const { logSize = DEFAULT_LOG_SIZE, logBytes = DEFAULT_LOG_BYTES } = options;
  if (typeof seed !== "string" && !Number.isFinite(seed))
    throw mistake(
      `seed must be a number or a string; it is ${typeof seed === "number" ? seed : describeValue(seed)}.`,
    );
  if (clock !== undefined && !(hasMethod(clock, "now") && hasMethod(clock, "sleep")))
    throw mistake("clock must be a clock, such as createVirtualClock().");
  if (typeof latency !== "number" || !(latency >= 0))
    throw mistake("latency must be a number of milliseconds, 0 or more.");
  if (logSize !== Infinity) wholeNumber(0)(logSize, "logSize");
  if (logBytes !== Infinity) wholeNumber(0)(logBytes, "logBytes");
  checkServiceOptions(options);
  if (snapshot === undefined) return;
  const other = ["seed", ...Object.keys(serviceOptions)].find(
    (name) => options[name as keyof SandboxOptions] !== undefined,
  );
  if (other !== undefined)
    throw mistake(
      `A snapshot has the seed and the options of the services: remove ${other}, or remove snapshot.`,
    );
}

/** Throws a TypeError for an option that a service does not have, and for a value that the option does not accept. */
export function checkServiceOptions(options: SandboxOptions<Clock>): void {
  for (const [name, known] of Object.entries(serviceOptions)) {
    const own = options[name as ServiceName];
    if (own === undefined) continue;
    if (!isRecord(own))
      throw mistake(`${name} requires its options in an object, not ${describeValue(own)}.`);
    checkOptionNames(name, own, Object.keys(known));
    for (const [option, kind] of Object.entries(known)) {
      const value = own[option];
      if (value !== undefined) checkValue(`${name}.${option}`, value, kind);
    }
  }
}

const BUDGETS = ["reads", "writes"];

/** Throws a TypeError unless an option of a service accepts the value. */
function checkValue(option: string, value: unknown, kind: OptionKind): void {
  if (kind === "integer" || kind === "count")
    wholeNumber(kind === "count" ? 0 : 1)(value as number, option);
  else if (kind === "budgets") {
    if (!isRecord(value))
      throw mistake(
        `${option} requires an object such as { reads: 600 }, not ${describeValue(value)}.`,
      );
    checkOptionNames(option, value, BUDGETS);
    for (const [name, budget] of Object.entries(value))
      if (budget !== undefined) checkValue(`${option}.${name}`, budget, "number");
  } else if (!accepts(value, kind)) throw mistake(`${option} must be ${formOf(kind)}.`);
}

function accepts(value: unknown, kind: OptionKind): boolean {
  if (typeof kind === "object") return kind.includes(value as string);
  if (kind === "boolean") return typeof value === "boolean";
  if (kind === "number") return typeof value === "number" && value >= 0;
  if (kind === "share") return typeof value === "number" && value >= 0 && value <= 1;
  if (kind === "strings")
    return Array.isArray(value) && value.every((each) => typeof each === "string");
  return true;
}

function formOf(kind: OptionKind): string {
  if (typeof kind === "object")
    return new Intl.ListFormat("en", { type: "disjunction" }).format(
      kind.map((each) => `"${each}"`),
    );
  if (kind === "boolean") return "true or false";
  if (kind === "share") return "a number from 0 to 1";
  return kind === "strings" ? "an array of strings" : "a number from 0 up, or Infinity";
}
