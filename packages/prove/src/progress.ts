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
