import { firstProblems } from "@fieldmesh/core/internal";
import { CallError, type CallName } from "./call-error.ts";
import { sayProblems, type Problem } from "./problem.ts";

/**
 * Thrown when the input breaks a rule of the contract, before anything is sent.
 *
 * `problems` names each field and rule, never a value. It has at most 20 entries; if there are more, the last one says so. The
 * message shows the first few.
 */
export class InputError extends CallError {
  readonly problems: readonly Problem[];

  protected static override readonly errorName: string = "InputError";

  constructor(context: { call: string; route: string }, problems: readonly Problem[]) {
    const named = firstProblems(problems);
    const text = sayProblems(named);
    super(
      { ...context, outcome: "not_sent", attempts: [] },
      `was not sent: ${text}${text.endsWith("?") ? "" : "."}`,
      "Correct the input and call again.",
    );
    this.problems = named;
  }
}

/** Creates the InputError of a single problem. */
export function inputProblem(context: CallName, path: string, message: string): InputError {
  return new InputError(context, [{ path, message }]);
}
