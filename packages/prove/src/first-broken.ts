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
