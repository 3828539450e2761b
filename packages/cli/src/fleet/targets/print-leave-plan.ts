import type { Context } from "../../context.ts";
import { sumUp, type LeavePlan } from "./leave-plan.ts";

/** One line: `+` is created, `~` is changed, `!` is left to people, `?` is a question to the mapping file, `x` cannot be held. */
interface Line {
  readonly sign: "+" | "~" | "!" | "?" | "x";
  readonly what: string;
}

export interface PlanHead {
  /** The name of the target on the command line. */
  readonly target: string;
  readonly title: string;
  readonly address: string;
}

/** Prints a plan: the server, a line for each difference and a sum, or one object with `--json`. */
export async function printLeavePlan(
  { output }: Context,
  { target, title, address }: PlanHead,
  plan: LeavePlan,
): Promise<void> {
  const lines = linesOf(plan);
  const sum = sumUp(plan);
  if (output.isJson) {
    await output.record({ target, address, ...sum, changes: lines });
    return;
  }
  await output.line(`${title} at ${address}`);
  for (const { sign, what } of lines) await output.line(`${sign} ${what}`);
  const facts = [
    `${sum.create} to create (+)`,
    `${sum.change} to change (~)`,
    ...(sum.by_hand > 0 ? [`${sum.by_hand} by hand (!)`] : []),
    ...(sum.open > 0 ? [`${sum.open} to map (?)`] : []),
  ];
  const differences = sum.create + sum.change + sum.by_hand + sum.open;
  await output.line(
    differences === 0 ? "No differences." : `${facts.join(", ")}. Nothing is deleted.`,
  );
}

function linesOf({ devices, byHand, open, lost }: LeavePlan): Line[] {
  const toLine =
    (sign: Line["sign"]) =>
    (what: string): Line => ({ sign, what });
  const created = devices.filter(({ isNew }) => isNew);
  const changed = devices.filter(({ isNew }) => !isNew);
  return [
    ...created.map(({ name }) => `device ${name}`).map(toLine("+")),
    ...changed
      .map(({ name, changes }) => `device ${name}: ${changes.map(({ what }) => what).join(", ")}`)
      .map(toLine("~")),
    ...byHand.map(toLine("!")),
    ...open.map(toLine("?")),
    ...lost.map(toLine("x")),
  ];
}
