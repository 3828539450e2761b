import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packages, root } from "./packages.ts";

const REPOSITORY = "https://github.com/fieldmesh/fieldmesh";
const LINK = /\]\(([^)\s]+)\)|\b(?:href|src)="([^"]+)"/g;

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
