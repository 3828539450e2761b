import { inspect } from "node:util";
import type { Plan } from "./plan.ts";

const WHOLE = { depth: null, breakLength: Infinity, maxArrayLength: null, compact: true };

const NOT_REPEATED =
  "Broken once, not repeated: this receiver depends on time or chance. The same plan has broken no rule when it ran again. Look for a counter outside of the function that builds the receiver, for Math.random and Date.now, and for a database without world.database. The run that broke the rule:";

/** A rule that was broken, and by what. */
export interface Broken<P = Plan> {
  readonly rule: string;
  readonly problem: string;
  readonly story: readonly string[];
  /** What the run has printed. */
  readonly printed: readonly string[];
  readonly plan: P;
  /** Whether the same plan has broken a rule again. */
  readonly isRepeated: boolean;
}

/**
 * Thrown when a receiver or a job breaks a rule. The message shows the shortest sequence of deliveries or faults that was found,
 * with a test that repeats it.
 */
export class ProofError<P = Plan> extends Error {
  static {
    this.prototype.name = "ProofError";
  }

  /** The name of the rule that does not hold. */
  readonly rule: string;
  /** The shortest plan that was found: pass it as `replay`. */
  readonly plan: P;
  /** The seed of the search; `undefined` if a plan was replayed. */
  readonly seed: number | undefined;

  /** What the run with this plan has printed: a line or more for each call of `console`. The message shows the first ones. */
  readonly printed: readonly string[];
  /** Whether the plan has broken a rule again. `false` for a receiver that depends on time or chance. */
  readonly isRepeated: boolean;

  constructor(
    found: Broken<P> & {
      readonly seed: number | undefined;
      /** Writes the call that repeats a plan. */
      readonly call?: ((plan: string) => string) | undefined;
    },
  ) {
    const { rule, problem, story, printed, plan, seed, isRepeated, call = toCall } = found;
    super(
      [
        `“${rule}” does not hold: ${problem}`,
        ...(isRepeated ? [] : ["", NOT_REPEATED]),
        "",
        ...story.map((line) => `  ${line}`),
        ...showPrints(printed),
        "",
        `${seed === undefined ? "" : `Found with seed ${seed}. `}${isRepeated ? "To repeat it:" : "To try the same plan again:"}`,
        "",
        `test(${JSON.stringify(rule)}, async () => {`,
        `  await ${call(inspect(plan, WHOLE))};`,
        "});",
      ].join("\n"),
    );
    this.rule = rule;
    this.plan = plan;
    this.printed = printed;
    this.seed = seed;
    this.isRepeated = isRepeated;
  }
}

const MOST_PRINTS = 5;
const MOST_LINES = 8;

/** Without the lines of a stack: most prints are failures that were planned. */
function showPrints(printed: readonly string[]): string[] {
  if (printed.length === 0) return [];
  const shown = printed.slice(0, MOST_PRINTS).flatMap((each) =>
    each
      .split("\n")
      .filter((line) => !/^\s+at /.test(line))
      .slice(0, MOST_LINES)
      .map((line) => `    ${line}`),
  );
  const left = printed.length - MOST_PRINTS;
  return [
    "",
    "  It printed:",
    ...shown,
    ...(left > 0 ? [`    (and ${left} more, in printed)`] : []),
  ];
}

function toCall(plan: string): string {
  return `proveReceiver(build, { events, replay: ${plan} })`;
}
