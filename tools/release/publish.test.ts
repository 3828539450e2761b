import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { names, packages } from "../packages.ts";
import { distTag } from "./dist-tag.ts";

/** A folder with a program in place of npm, and one in place of gh. */
let bin: string;
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), "fieldmesh-publish-"));
  put("gh", 'case "$2" in view) exit 1;; esac');
});
afterEach(() => rmSync(bin, { recursive: true }));

const MISSING = `echo '{"error":{"code":"E404"}}'; exit 1`;
const { version } = packages[0]!.manifest;

test("what npm lacks is published as public, after what it depends on, and nothing else", () => {
  put(
    "npm",
    `case "$1 $2" in "view ${names.scope}/core") echo '["${version}"]';; view*) ${MISSING};; esac`,
  );
  const { status, stdout } = publish();
  expect(status).toBe(0);
  const order = lines("npm publish").map((line) => /fieldmesh-([\w-]+)\.tgz/.exec(line)?.[1] ?? "");
  expect(order.toSorted()).toEqual(
    packages
      .map(({ id }) => id)
      .filter((id) => id !== "core")
      .toSorted(),
  );
  for (const { id, manifest } of packages.filter((each) => order.includes(each.id)))
    for (const name of Object.keys(manifest.dependencies ?? {}))
      expect(order.indexOf(name.slice(names.scope.length + 1))).toBeLessThan(order.indexOf(id));
  expect(lines("npm publish").filter((line) => !line.includes("--access=public"))).toEqual([]);
  expect(stdout).toContain(`published ${names.scope}/http@${version}`);
  expect(lines("gh")).toEqual([]);
});

test.each([
  ["1.0.0-rc.1", [], "latest"],
  ["1.0.0-rc.1", ["1.0.0-rc.0"], "latest"],
  ["2.0.0-rc.1", ["1.0.0", "2.0.0-rc.0"], "rc"],
  ["1.0.1", ["1.0.0"], "latest"],
])("%s gets its tag beside %j: %s", (candidate, published, tag) => {
  expect(distTag(candidate, published)).toBe(tag);
});

test("nothing is published where npm cannot say what it has", () => {
  put("npm", `echo '{"error":{"code":"E500"}}'; exit 1`);
  expect(publish().status).toBe(1);
  expect(lines("npm publish")).toEqual([]);
});

test("each release on GitHub has its bill of materials and the documents, also after a publish", () => {
  put("npm", `case "$1" in view) echo '["${version}"]';; esac`);
  expect(publish("--github").status).toBe(0);
  const created = lines("gh release create");
  expect(created).toHaveLength(packages.length);
  for (const [at, line] of lines("gh release view").entries()) {
    const [, id = ""] = /\/([\w-]+)@/.exec(line) ?? [];
    expect(created[at]).toContain(`create ${names.scope}/${id}@${version} --target=abc`);
    expect(created[at]).toContain(`/sbom/${id}.cdx.json`);
    expect(created[at]).toContain("/documents.tgz");
  }
});

function publish(...args: string[]): { status: number | null; stdout: string } {
  return spawnSync(
    process.execPath,
    [join(import.meta.dirname, "publish.ts"), "/packed", ...args],
    {
      encoding: "utf8",
      env: {
        PATH: [bin, "/bin", "/usr/bin"].join(delimiter),
        LOG: join(bin, "log"),
        GITHUB_SHA: "abc",
      },
    },
  );
}

function put(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $@" >> "$LOG"\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}

/** The calls of the programs that begin so. */
function lines(start: string): string[] {
  try {
    return readFileSync(join(bin, "log"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith(start));
  } catch {
    return [];
  }
}
