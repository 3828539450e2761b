import { CallError } from "./call-error.ts";
import type { Problem } from "./problem.ts";

/**
 * The input breaks a rule of the contract. Thrown before any I/O.
 *
 * `problems` names each field and rule, never a value.
 */
export class InputError extends CallError {
  readonly problems: readonly Problem[];

  static {
    this.prototype.name = "InputError";
  }

  constructor(facts: { call: string; route: string }, problems: readonly Problem[]) {
    const list = problems.map(({ path, message }) =>
      path === "" ? message : `${path}: ${message}`,
    );
    const text = list.join("; ");
    super(
      { ...facts, outcome: "not_sent", attempts: [] },
      `was not sent: ${text}${text.endsWith("?") ? "" : "."}`,
      "Correct the input and call again.",
    );
    this.problems = problems;
  }
}
