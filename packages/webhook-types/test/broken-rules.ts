import type { ContractTest } from "../src/store-tests/index.ts";

/** Returns the broken rules, each with its message. */
export async function broken(tests: readonly ContractTest[]): Promise<string[]> {
  const messages: string[] = [];
  for (const { name, run } of tests)
    await run().catch((error: Error) => messages.push(`${name}: ${error.message}`));
  return messages;
}
