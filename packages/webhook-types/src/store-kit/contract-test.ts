/** One rule of a contract, as a test for any runner. */
export interface ContractTest {
  /** The rule, as a sentence. */
  readonly name: string;
  /** Rejects with an Error that says which call breaks the rule. */
  readonly run: () => Promise<void>;
}

/** The rules of a contract, by the sentence that names each. */
export type Rules<Check> = Readonly<Record<string, Check>>;

/** Makes a test of each rule. `run` creates what the rule checks. */
export function contractTests<Check>(
  rules: Rules<Check>,
  run: (check: Check) => Promise<void>,
): readonly ContractTest[] {
  return Object.entries(rules).map(([name, check]) => ({ name, run: () => run(check) }));
}

/** Throws unless a call returned what the contract says. The errors contain generated ids, and nothing of a payload. */
export function expectIs(call: string, actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected))
    throw new Error(`${call}: expected ${show(expected)}, but got ${show(actual)}.`);
}

/** Includes the type, because a database may return the string "1" for a number. */
function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : `${String(value)} (${typeof value})`;
}

/** Returns a new id each time, so that many runs may share a table. */
export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID()}`;
}

export async function wait(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
