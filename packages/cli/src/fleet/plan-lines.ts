import type { Context } from "../context.ts";

/** One thing that a plan tells. */
export interface PlanLine {
  /** `+` is created, `~` is changed, `!` is left to people, `?` is a question to the mapping file, `x` cannot be held. */
  readonly sign: "+" | "~" | "!" | "?" | "x";
  /** Such as `device`, `label` or an entry of the mapping file. */
  readonly kind: string;
  readonly name?: string;
  readonly dev_eui?: string;
  /** What differs, or what is done. */
  readonly what?: string;
}

/** A line before it has its sign. */
export type PlanFact = Omit<PlanLine, "sign">;

/** What is compared with a fleet. */
export interface PlanHead {
  /** `console`, or the value of `--target`. */
  readonly target: string;
  /** Such as `The console` or `ChirpStack`. */
  readonly title: string;
  readonly address: string;
  /** Of a console. */
  readonly organization?: string;
}

/** Gives facts their sign. */
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

/** What an apply has done, by the plans before and after it, and what is left: to a further run, and to people. */
export function progressOf(before: readonly PlanLine[], after: readonly PlanLine[]) {
  const [planned, rest] = [sumOf(before), sumOf(after)];
  return {
    created: Math.max(0, planned.create - rest.create),
    changed: Math.max(0, planned.change - rest.change),
    left: rest.create + rest.change,
    by_hand: rest.by_hand,
  };
}

/** How many lines are differences: what a server cannot hold does not count. */
export function countDifferences(lines: readonly PlanLine[]): number {
  return lines.filter(({ sign }) => sign !== "x").length;
}

/** Prints what is compared, a line for each difference and a sum, or one object with `--json`. */
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
