import { inspect } from "node:util";
import type { Plan } from "./plan.ts";

const WHOLE = { depth: null, breakLength: Infinity, maxArrayLength: null, compact: true };

interface Broken {
  readonly rule: string;
  readonly problem: string;
  readonly story: readonly string[];
  readonly plan: Plan;
  readonly seed: number | undefined;
}

/**
 * Thrown when a receiver breaks a rule. The message shows the shortest sequence of deliveries that was found, with a test
 * that repeats it.
 */
export class ProofError extends Error {
  static {
    this.prototype.name = "ProofError";
  }

  /** The name of the rule that does not hold. */
  readonly rule: string;
  /** The shortest plan that was found: pass it as `replay`. */
  readonly plan: Plan;
  /** The seed of the search; `undefined` if a plan was replayed. */
  readonly seed: number | undefined;

  constructor({ rule, problem, story, plan, seed }: Broken) {
    super(
      [
        `“${rule}” does not hold: ${problem}`,
        "",
        ...story.map((line) => `  ${line}`),
        "",
        seed === undefined ? "To repeat it:" : `Found with seed ${seed}. To repeat it:`,
        "",
        `test(${JSON.stringify(rule)}, async () => {`,
        `  await proveReceiver(build, { events, replay: ${inspect(plan, WHOLE)} });`,
        "});",
      ].join("\n"),
    );
    this.rule = rule;
    this.plan = plan;
    this.seed = seed;
  }
}
