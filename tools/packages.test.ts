import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entriesOf, names, packages, root } from "./packages.ts";

const REPOSITORY = `https://github.com/${names.repository}`;
const LINK = /\]\(([^)\s]+)\)|\b(?:href|src)="([^"]+)"/g;

test("the repository of the workspace is that of its packages, whose names have one scope", () => {
  const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    repository: string;
  };
  expect(repository).toBe(`github:${names.repository}`);
  const foreign = packages.filter(({ id, manifest }) => manifest.name !== `${names.scope}/${id}`);
  expect(foreign.map(({ manifest }) => manifest.name)).toEqual([]);
});

test.each(packages)(
  "the manifest of $id leads to its page and to the issues",
  ({ id, manifest }) => {
    expect(manifest).toMatchObject({
      repository: REPOSITORY.replace("https://github.com/", "github:"),
      homepage: `${REPOSITORY}/tree/main/packages/${id}#readme`,
      bugs: `${REPOSITORY}/issues`,
    });
  },
);

test("all packages have one version, and depend on exactly that of each other", () => {
  expect(new Set(packages.map(({ manifest }) => manifest.version)).size).toBe(1);
  const ranges = packages.flatMap(({ manifest: { dependencies, peerDependencies } }) =>
    Object.entries({ ...dependencies, ...peerDependencies })
      .filter(([name]) => name.startsWith(names.scope))
      .map(([, range]) => range),
  );
  expect(new Set(ranges)).toEqual(new Set(["workspace:*"]));
});

test("every package exports its package.json, and no tool takes it for an entry", () => {
  const lack = packages.filter(({ manifest }) => manifest.exports["./package.json"] === undefined);
  expect(lack.map(({ id }) => id)).toEqual([]);
  const sources = packages.flatMap(({ manifest }) => entriesOf(manifest).map(([, one]) => one));
  expect(sources.filter((source) => !/^\.\/src\/.+\.ts$/.test(source))).toEqual([]);
});

// The page of a package registry has no folders around it.
test.each(packages)(
  "every link of the README of $id is absolute and leads to a file",
  ({ folder }) => {
    const links = [...readFileSync(join(folder, "README.md"), "utf8").matchAll(LINK)].map(
      ([, markdown, html]) => markdown ?? html ?? "",
    );
    expect(links.filter((link) => !link.startsWith("https://"))).toEqual([]);
    const files = links
      .filter((link) => link.startsWith(`${REPOSITORY}/blob/main/`))
      .map((link) => link.slice(`${REPOSITORY}/blob/main/`.length).replace(/#.*/, ""));
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  },
);
