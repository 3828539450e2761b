import { CommandError } from "./exec.ts";
import { createSlots } from "./slots.ts";

export interface Step {
  readonly name: string;
  /** Another step of the same run, without which this one makes no sense. */
  readonly needs?: string;
  /** Throws where it fails. What it returns is added to its line. */
  run(): Promise<string | Count | undefined>;
}

/** What a step that is many tests gives, and what a run gives. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** What a reader should know although all passed. */
  readonly remark?: string;
  /** What the tests printed, for when one has failed. */
  readonly output?: string;
}

/** Runs steps side by side, prints a line for each, and all that a step has said only where it fails. */
export async function runSteps(
  steps: readonly Step[],
  print: (line: string) => void = console.log,
  atOnce?: number,
): Promise<Count> {
  const inSlot = createSlots(atOnce);
  const counts = new Map<string, Promise<Count>>();

  for (const step of steps) counts.set(step.name, start(step));
  return total(await Promise.all(counts.values()));

  async function start(step: Step): Promise<Count> {
    const need = step.needs === undefined ? undefined : await counts.get(step.needs);
    if (need && need.failed > 0)
      return report(step, 0, { passed: 0, failed: 1, output: `${step.needs} failed` });
    return inSlot(async () => {
      const before = performance.now();
      const outcome = await step.run().catch((error: unknown) => failure(error));
      return report(step, performance.now() - before, outcome);
    });
  }

  function report(step: Step, milliseconds: number, outcome: string | Count | undefined): Count {
    const count = typeof outcome === "object" ? outcome : { passed: 1, failed: 0 };
    const word = count.failed > 0 ? "FAILED" : "ok";
    const seconds = `${(milliseconds / 1000).toFixed(1)} s`;
    const remark = typeof outcome === "string" ? outcome : remarkOn(count);
    print(`${word.padEnd(7)} ${step.name.padEnd(14)} ${seconds.padStart(7)}  ${remark}`.trimEnd());
    if (count.failed > 0 && count.output) print(indent(count.output));
    return count;
  }
}

export function total(counts: readonly Count[]): Count {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  };
}

function remarkOn({ passed, remark }: Count): string {
  const words = passed > 1 ? [`${passed} passed`] : [];
  return [...words, ...(remark === undefined ? [] : [remark])].join(", ");
}

function failure(error: unknown): Count {
  const output =
    error instanceof CommandError
      ? error.output
      : String(error instanceof Error ? error.stack : error);
  return { passed: 0, failed: 1, output };
}

function indent(text: string): string {
  return text.trim().replace(/^/gm, "    ");
}
