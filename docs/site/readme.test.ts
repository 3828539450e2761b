import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { services } from "@fieldmesh/sandbox/internal/services";
import { names, root } from "../../tools/packages.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");

test("the README shows what the tour prints, and leads to the site", () => {
  expect(readme).toContain("(docs/public/tour.svg)");
  const links = [...readme.matchAll(/\]\((https:\/\/fieldmesh\.github\.io\/fieldmesh\/[^)#]*)/g)];
  expect(links.length).toBeGreaterThan(3);
  const pages = new Set([
    "",
    "events.html",
    "changelog.html",
    "packages.html",
    ...["guides", "project"].flatMap((folder) =>
      readdirSync(join(root, "docs", folder)).map(
        (name) => `${folder}/${name.replace(".md", ".html")}`,
      ),
    ),
    ...services.map(({ name }) => `reference/${name}.html`),
    "api/",
  ]);
  for (const [, url = ""] of links) expect(pages).toContain(url.replace(names.site, ""));
});

test("the workflow builds the site with the commands of this workspace", () => {
  const workflow = readFileSync(join(root, ".github", "workflows", "docs.yml"), "utf8");
  expect(workflow).toContain("run: npm run docs\n");
  expect(workflow).toContain("DOCS_BASE");
  expect(workflow).toContain("path: docs/.vitepress/dist");
});
