import { beforeEach, expect, test, vi } from "vitest";
import { createSandbox } from "../../../packages/sandbox/src/index.ts";
import { exampleScope } from "../example-scopes.ts";
import { type RowUnderTest, sourcesOf } from "../services.ts";
import { readRowDocs } from "./row-docs.ts";

/** The example of each row runs, and sends its request. */
export function testExamples(rows: readonly RowUnderTest[]): void {
  beforeEach(() => {
    vi.spyOn(console, "log").mockReturnValue();
    vi.spyOn(console, "error").mockReturnValue();
  });

  test.for(rows)("the example of $call runs", async ({ call, row, service }) => {
    const example = readRowDocs(sourcesOf(service)).get(call)?.example ?? "";
    // The only method of the map is on the client itself.
    expect(example).toContain(service.name === "mapper" ? "client.ingest(" : `client.${call}(`);
    const sandbox = createSandbox();
    const scope = await exampleScope(service, sandbox);
    // oxlint-disable-next-line typescript/no-implied-eval -- the test runs our own examples
    const run = new Function(
      ...Object.keys(scope),
      `return (async () => { ${withoutTypes(example)} })();`,
    ) as (...values: unknown[]) => Promise<void>;
    await run(...Object.values(scope));
    expect(sandbox.log.requests(call).map(({ status }) => status)).toContain(row.status);
  });
}

/** The examples are JavaScript, except for the exclamation marks of TypeScript. */
function withoutTypes(code: string): string {
  return code.replaceAll(/!(?=[.);,])/g, "");
}
