import { notify } from "@fieldmesh/core/internal";

/** How far a proof has come. */
export interface ProofProgress {
  /** The runs that are done. */
  readonly runs: number;
  /** The runs that are planned. Once a rule is broken, others follow, which look for a shorter sequence. */
  readonly planned: number;
  /** The rule that was broken. `undefined` as long as none was. */
  readonly broken: string | undefined;
}

const SECOND = 1_000;

/** Returns a function that reports each run, and prints a line a second if someone watches. */
export function createProgress(
  proof: string,
  onProgress: ((progress: ProofProgress) => void) | undefined,
): (progress: ProofProgress) => void {
  let printedAt = performance.now();
  return (progress) => {
    notify("onProgress", onProgress, (call) => call(progress));
    const now = performance.now();
    if (!process.stderr.isTTY || now - printedAt < SECOND) return;
    printedAt = now;
    const { runs, planned, broken } = progress;
    process.stderr.write(
      broken === undefined
        ? `${proof}: ${runs} of ${planned} runs\n`
        : `${proof}: “${broken}” is broken; looking for a shorter sequence, ${runs} runs\n`,
    );
  };
}

/** A rule, which returns a sentence or throws if it does not hold. */
type Rule<Value> = (value: Value) => string | void | Promise<string | void>;

/** Returns the first of some rules that does not hold, and the sentence that says why. */
export async function firstBroken<Value>(
  rules: Readonly<Record<string, Rule<Value>>>,
  value: Value,
): Promise<{ rule: string; problem: string } | undefined> {
  for (const [rule, holds] of Object.entries(rules)) {
    const problem = await (async () => holds(value))().catch((error: unknown) => String(error));
    if (typeof problem === "string") return { rule, problem };
  }
  return undefined;
}

export function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}
