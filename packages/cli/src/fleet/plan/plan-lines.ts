import type { Context } from "../../context.ts";
import { CliError, exitCodes } from "../../exit-codes.ts";
import { countOf } from "./count-of.ts";

/** One line of a plan. */
export interface PlanLine {
  /** `+` is created, `~` is changed, `!` is left to the user, `?` is an entry that the mapping file needs, `x` cannot be stored. */
  readonly sign: "+" | "~" | "!" | "?" | "x";
  /** Such as `device`, `label` or an entry of the mapping file. */
  readonly kind: string;
  readonly name?: string;
  readonly dev_eui?: string;
  /** What differs, or what an apply does, in words. */
  readonly what?: string;
  /** The same as data: each field that differs or is set, by its name. */
  readonly fields?: FieldChanges;
}

/** The fields of a line, by name: the value that was found, and the one of the fleet. A secret, such as `app_key`, shows neither. */
export type FieldChanges = Readonly<Record<string, { from?: unknown; to?: unknown }>>;

/** A line without its sign. */
export type PlanFact = Omit<PlanLine, "sign">;

/** The server that a fleet is compared with. */
export interface PlanHead {
  /** `console`, or the value of `--target`. */
  readonly target: string;
  /** Such as `The console` or `ChirpStack`. */
  readonly title: string;
  readonly address: string;
  /** The name of the organization, for a console. */
  readonly organization?: string;
}

/** Adds a sign to each fact. */
export function withSign(sign: PlanLine["sign"], facts: readonly PlanFact[]): PlanLine[] {
  return facts.map((fact) => ({ sign, ...fact }));
}

/** Such as `device "Tank 1" (0004A30B00000001): activate`. */
export function textOf({ kind, name, dev_eui, what }: PlanFact): string {
  const named = name === undefined ? kind : `${kind} ${JSON.stringify(name)}`;
  const known = dev_eui === undefined ? named : `${named} (${dev_eui})`;
  return what === undefined ? known : `${known}: ${what}`;
}

/** Such as `ChirpStack at https://chirpstack.example.com`. */
export function headText({ title, address, organization }: PlanHead): string {
  const owner = organization === undefined ? "" : ` (${JSON.stringify(organization)})`;
  return `${title} at ${address}${owner}`;
}

/** The numbers of a plan. */
export function sumOf(lines: readonly PlanLine[]) {
  const count = (sign: PlanLine["sign"]): number =>
    lines.filter((line) => line.sign === sign).length;
  return {
    create: count("+"),
    change: count("~"),
    by_hand: count("!"),
    open: count("?"),
    lost: count("x"),
  };
}

/** Counts what an apply has done, from the plans before and after it, and what is left for another run or for the user. */
export function progressOf(before: readonly PlanLine[], after: readonly PlanLine[]) {
  const [planned, rest] = [sumOf(before), sumOf(after)];
  return {
    created: Math.max(0, planned.create - rest.create),
    changed: Math.max(0, planned.change - rest.change),
    left: rest.create + rest.change,
    by_hand: rest.by_hand,
  };
}

/** What an apply has done. */
interface Progress extends ReturnType<typeof progressOf> {
  /** What the other network server cannot store. */
  readonly lost?: number;
}

/** Prints what an apply has done, and in sentences what remains. With `--json`, prints one object. */
export async function printResult(
  { output }: Context,
  { title: _title, ...head }: PlanHead,
  progress: Progress,
): Promise<void> {
  if (output.isJson) return await output.record({ ...head, ...progress });
  const { created, changed, left, by_hand, lost = 0 } = progress;
  await output.record({ ...head, created, changed });
  const see = (sign: string): string => `(${sign} in "fieldmesh fleet plan")`;
  if (left > 0) await output.line(`Not done: ${countOf(left, "change")} ${see("+ and ~")}.`);
  if (by_hand > 0)
    await output.line(
      `Left to you, because no call can do it: ${countOf(by_hand, "change")} ${see("!")}.`,
    );
  if (lost > 0) await output.line(`Cannot be stored there: ${countOf(lost, "value")} ${see("x")}.`);
}

/** Throws a CliError if a server differs from a file. */
export function checkSame({ title }: PlanHead, lines: readonly PlanLine[], file: string): void {
  const differences = countDifferences(lines);
  if (differences > 0)
    throw new CliError(
      `${title} differs from ${file} in ${countOf(differences, "place")}.`,
      exitCodes.different,
    );
}

/** Counts the lines that are differences. What a server cannot store does not count. */
function countDifferences(lines: readonly PlanLine[]): number {
  return lines.filter(({ sign }) => sign !== "x").length;
}

/** Prints what is compared, a line for each difference, and the totals. With `--json`, prints one object. */
export async function printLines(
  { output }: Context,
  head: PlanHead,
  lines: readonly PlanLine[],
  facts: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const sum = sumOf(lines);
  if (output.isJson) {
    const { title: _title, ...known } = head;
    await output.record({ ...known, ...sum, ...facts, changes: lines });
    return;
  }
  await output.line(headText(head));
  for (const line of lines) await output.line(`${line.sign} ${textOf(line)}`);
  const counts = [
    `${sum.create} to create (+)`,
    `${sum.change} to change (~)`,
    ...(sum.by_hand > 0 ? [`${sum.by_hand} by hand (!)`] : []),
    ...(sum.open > 0 ? [`${sum.open} to map (?)`] : []),
  ];
  await output.line(
    countDifferences(lines) === 0 ? "No differences." : `${counts.join(", ")}. Nothing is deleted.`,
  );
}
