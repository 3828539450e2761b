import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { services } from "@fieldmesh/sandbox/internal/services";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compile } from "./compile.ts";
import { openSamples, type SampleRuns } from "./sample-run.ts";
import { readBlocks, readDocExamples, readPrograms, readSamples, SAMPLE_WIDTH } from "./samples.ts";

const samples = readSamples();
let runs: SampleRuns;

beforeAll(async () => {
  runs = await openSamples(samples);
});

afterAll(() => runs.close());

test.each(services)("a guide has a sample with the client of $name", ({ package: id }) => {
  const guides = readdirSync(join(import.meta.dirname, "guides"));
  const pages = guides.map((name) =>
    readFileSync(join(import.meta.dirname, "guides", name), "utf8"),
  );
  expect(pages.some((page) => page.includes(`from "@fieldmesh/${id}"`))).toBe(true);
});

test("there are samples on every page", () => {
  expect(samples.length).toBeGreaterThan(15);
});

test.for([...samples, ...readDocExamples(), ...readPrograms()])(
  "$name swallows no error",
  ({ code }) => {
    expect(findSwallowedErrors(code)).toEqual([]);
  },
);

test("a sample that swallows an error is found", () => {
  expect(findSwallowedErrors("call().catch((error) => isApiError(error, 404));")).toHaveLength(1);
  expect(findSwallowedErrors("try { call(); } catch {}")).toHaveLength(1);
  expect(findSwallowedErrors("call().catch((error) => { if (!ok(error)) throw error; });")).toEqual(
    [],
  );
  expect(findSwallowedErrors("try { call(); } catch (error) { console.error(error); }")).toEqual(
    [],
  );
});

// pnpm resolves only what a user has installed; `@fieldmesh/core` and `@fieldmesh/http` come with a client.
test("a sample imports no package behind a client", () => {
  const found = samples.filter(
    ({ name, code }) =>
      /from "@fieldmesh\/(core|http)/.test(code) && !/^packages-(core|http)-/.test(name),
  );
  expect(found.map(({ name }) => name)).toEqual([]);
});

test("a guide with a sample that imports zod says to install it", () => {
  const guides = readdirSync(join(import.meta.dirname, "guides"));
  const pages = guides.map((name) => ({
    name,
    text: readFileSync(join(import.meta.dirname, "guides", name), "utf8"),
  }));
  const needing = pages.filter(({ text }) => text.includes('from "zod'));
  expect(needing).not.toEqual([]);
  expect(needing.filter(({ text }) => !text.includes("npm install zod"))).toEqual([]);
});

// Node 22 cannot parse `await using`.
test("a sample with `await using` has a twin that calls close()", () => {
  const codes = [...samples, ...readDocExamples()].map(({ code }) => code.trim());
  const twins = codes
    .filter((code) => code.includes("await using "))
    .map((code) => {
      const [, name] = /await using (\w+)/.exec(code)!;
      return `${code.replace("await using ", "const ")}\nawait ${name}.close();`;
    });
  expect(twins).not.toEqual([]);
  expect(codes).toEqual(expect.arrayContaining(twins));
});

test("every sample compiles", () => {
  const files = samples.map(({ name }) => runs.fileOf(name));
  expect(compile(files)).toBe("");
});

test.for(samples.filter(({ isExecuted }) => isExecuted))(
  "$name runs, and prints what its page shows: see npm run generate -- samples",
  async ({ name, output }) => {
    expect(await runs.run(name)).toBe(output);
  },
);

test("no line of a sample is wider than the column of the site", () => {
  const wide = readBlocks("(?:ts|js|sh|sql)\\b.*").flatMap(({ name, code }) =>
    code
      .split("\n")
      .filter((line) => line.length > SAMPLE_WIDTH)
      .map((line) => `${name}: ${line}`),
  );
  expect(wide).toEqual([]);
});

/**
 * Finds every `.catch(…)` and `catch` block that neither throws nor prints: a reader who copies it never learns that
 * something failed. Returns their lines.
 */
function findSwallowedErrors(code: string): string[] {
  const file = ts.createSourceFile("sample.ts", code, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const handler = handlerOf(node);
    if (handler !== undefined && !tells(handler)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getEnd());
      found.push(`${line + 1}: ${node.getText().slice(0, 80)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** What handles an error at this node, if something does. */
function handlerOf(node: ts.Node): ts.Node | undefined {
  if (ts.isCatchClause(node)) return node.block;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined;
  return node.expression.name.text === "catch" ? node.arguments[0] : undefined;
}

const PRINTS = /^(console\.|process\.std|reply|response|res\.|expect|expected|fail)/;

/** Returns true for code that throws, that prints, or that hands the error to something that does. */
function tells(node: ts.Node): boolean {
  if (ts.isThrowStatement(node)) return true;
  if (ts.isCallExpression(node) && PRINTS.test(node.expression.getText())) return true;
  return ts.forEachChild(node, (child) => tells(child) || undefined) ?? false;
}
