import { expect, it } from "vitest";
import { type Run, runTests } from "./vitest.ts";

const passes: Run = { count: { passed: 1, failed: 0 }, failures: [], skipped: [] };

function fails(output: string, ...names: string[]): Run {
  const failures = names.map((name) => ({ file: `${name}.test.ts`, tests: [name] }));
  return { count: { passed: 10, failed: names.length, output }, failures, skipped: [] };
}

/** Gives one run after the other, and says which files each was asked for. */
function script(...runs: Run[]) {
  const asked: (readonly string[])[] = [];
  const count = runTests("fast", async (_tier, files) => runs[asked.push(files) - 1]!);
  return count.then((result) => ({ result, asked }));
}

it("runs the file of a failed test once more, and names what needed that", async () => {
  expect(await script(fails("", "slow server"), passes)).toEqual({
    result: { passed: 11, failed: 0, remark: "only in a second run: slow server" },
    asked: [[], ["slow server.test.ts"]],
  });
});

it("fails what fails twice, with what the first run said", async () => {
  const { result } = await script(fails("expected 1 to be 2", "sum"), fails("", "sum"));
  expect(result).toMatchObject({ passed: 10, failed: 1, output: "expected 1 to be 2" });
});

it("takes many failures, and errors outside of tests, for no chance", async () => {
  expect((await script(fails("", "a", "b", "c", "d"))).asked).toHaveLength(1);
  expect((await script(fails("Unhandled Rejection", "a"))).asked).toHaveLength(1);
  expect(
    (await script({ count: { passed: 3, failed: 1 }, failures: [], skipped: [] })).result.failed,
  ).toBe(1);
});

it("names what was skipped, whose title says why", async () => {
  const skipped = ["openssl agrees: skipped, because there is none"];
  const { result } = await script({ ...passes, skipped });
  expect(result).toEqual({ passed: 1, failed: 0, remark: skipped[0] });
});
