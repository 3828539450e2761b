import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packages } from "./packages.ts";

const bins = packages.flatMap(({ folder, manifest }) =>
  Object.entries(manifest.bin ?? {}).map(([name, path]) => ({ name, file: join(folder, path) })),
);

it.each(bins)("$name gives an older Node a sentence and not a stack trace", ({ name, file }) => {
  const pretend =
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } });';
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", preload, file], {
    encoding: "utf8",
  });

  expect(stderr).toBe(`${name} needs Node 22.12 or later, and this is Node 20.19.0.\n`);
  expect(status).toBe(2);
});
