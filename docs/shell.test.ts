import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { readProgram } from "../packages/sandbox/src/commands/program/read-program.ts";
import { packages, root } from "../tools/packages.ts";
import { readBlocks } from "./samples.ts";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const lines = readBlocks("sh").flatMap(({ name, code }) =>
  code
    .split("\n")
    .map((line) => line.replace(/ +# .*$/, "").trim())
    .filter(Boolean)
    .map((line) => ({ name, line })),
);

test("there are commands", () => expect(lines.length).toBeGreaterThan(10));

test.for(lines)("$name: $line", ({ line }) => {
  const [command = "", ...words] = line.split(" ").map((word) => word.replaceAll('"', ""));
  switch (command) {
    case "npm":
      expectNpm(words);
      break;
    case "npx":
      // By its package: a bare name would be whatever somebody has published under it.
      expect(words.shift()).toBe("@fieldmesh/sandbox");
      readProgram(words);
      break;
    case "fieldmesh-sandbox":
      readProgram(words);
      break;
    default:
      throw new Error(`nothing proves ${command}`);
  }
});

function expectNpm([what = "", ...names]: readonly string[]): void {
  // A package of ours, or one that it needs beside it.
  const known = packages.flatMap(({ manifest }) => [
    manifest.name,
    ...Object.keys(manifest.peerDependencies ?? {}),
  ]);
  if (what === "install") expect(known).toEqual(expect.arrayContaining(names));
  else expect(Object.keys(scripts)).toContain(what === "run" ? names[0] : what);
}

test.for(readBlocks("js"))("$name, which shows what not to do, is JavaScript", ({ code }) => {
  const { diagnostics } = ts.transpileModule(code, { reportDiagnostics: true });
  expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([]);
});
