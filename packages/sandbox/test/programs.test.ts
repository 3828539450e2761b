import ts from "typescript";
import { beforeEach, expect, test, vi } from "vitest";
import { environmentOf } from "../src/commands/start/environment.ts";
import { startSandbox } from "../src/index.ts";
import { copyExample } from "./programs.ts";
import { rows } from "../../../tools/testing/services.ts";

beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue();
  vi.spyOn(console, "error").mockReturnValue();
});

test.for(rows)(
  "the program that is copied from a request of $call sends it again",
  async (each) => {
    const { call, service } = each;
    await using sandbox = await startSandbox();
    const { program, request, values } = await copyExample(each, sandbox);
    const printed: unknown[] = [];
    await evaluate(program, {
      ...(await import(`../../${service.package}/src/index.ts`)),
      process: { env: { ...environmentOf(sandbox), ...values } },
      console: { log: (value: unknown) => printed.push(value) },
    });
    const sent = sandbox.log.requests(call).at(-1);
    expect([sent?.status, sent?.body, sent?.url]).toEqual([
      request.status,
      request.body,
      request.url,
    ]);
    expect(printed).toHaveLength(1);
  },
);

/** Runs a program with values in place of its imports and globals. */
async function evaluate(program: string, scope: Readonly<Record<string, unknown>>): Promise<void> {
  const { outputText } = ts.transpileModule(program.replace(/^import .*$/m, ""), {
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  // oxlint-disable-next-line typescript/no-implied-eval -- the test runs our own programs
  const run = new Function(...Object.keys(scope), `return (async () => { ${outputText} })();`) as (
    ...values: unknown[]
  ) => Promise<void>;
  await run(...Object.values(scope));
}
