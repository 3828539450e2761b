import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// The pools of pg in the programs that people copy.

const root = join(import.meta.dirname, "..");
const files = [
  "docs/guides/*.md",
  "packages/*/README.md",
  "examples/*/*.ts",
  "packages/*/src/**/*.ts",
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((file) => !/\.test\.ts$|node_modules|\/test(?:ing)?\//.test(file));
const programs = files.flatMap((file) => {
  const code = readFileSync(join(root, file), "utf8");
  const sample = file.endsWith(".md") ? /^```[^]*?^```$/gm : /^ *\/\*\*[^]*?\*\//gm;
  const parts = file.startsWith("examples") ? [code] : (code.match(sample) ?? []);
  return parts
    .filter((part) => /new (?:pg\.)?Pool\(\{/.test(part))
    .map((part, index) => [`${file} ${index + 1}`, part] as const);
});

test.each(programs)("%s sets connectionTimeoutMillis", (_file, program) => {
  expect(program).toMatch(/new (?:pg\.)?Pool\(\{[^}]*connectionTimeoutMillis/);
});

const withConcurrency = programs.filter(([, program]) =>
  /concurrency: \d|localConcurrency|teamSize/.test(program),
);

test.each(withConcurrency)(
  "%s has a pool that is larger than its concurrency",
  (_file, program) => {
    const [, concurrency] = /oncurrency: (\d+)/.exec(program) ?? [];
    const [, max] = /\bmax: (\d+)/.exec(program) ?? [];
    expect(Number(max ?? 10)).toBeGreaterThan(Number(concurrency));
  },
);
