import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { services } from "@fieldmesh/sandbox/services";
import { eventTypes } from "@fieldmesh/webhook-types";
import { makeBadges } from "./badges.ts";
import { names, root } from "../../tools/packages.ts";
import { COUNT, COUNTED } from "./write-counts.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");
const folder = join(root, "docs", "public", "badges");

test("the badges say what the packages are: npm run generate -- events writes them", () => {
  const badges = makeBadges();
  expect(readdirSync(folder).sort()).toEqual([...badges.keys()].sort());
  for (const [name, svg] of badges) {
    expect(readFileSync(join(folder, name), "utf8")).toBe(svg);
    expect(readme).toContain(`(docs/public/badges/${name})`);
  }
});

test("the README shows what the tour prints, and leads to the site", () => {
  expect(readme).toContain("(docs/public/tour.svg)");
  const links = [...readme.matchAll(/\]\((https:\/\/fieldmesh\.github\.io\/fieldmesh\/[^)#]*)/g)];
  expect(links.length).toBeGreaterThan(5);
  const pages = new Set([
    "",
    "events.html",
    "changelog.html",
    "packages.html",
    ...readdirSync(join(root, "docs", "guides")).map(
      (name) => `guides/${name.replace(".md", ".html")}`,
    ),
    ...services.map(({ name }) => `reference/${name}.html`),
    "api/",
  ]);
  for (const [, url = ""] of links) expect(pages).toContain(url.replace(names.site, ""));
});

test.each(COUNTED)(
  "%s names the number of event types; if not, run npm run generate -- events",
  (file) => {
    const numbers = readFileSync(join(root, file), "utf8").match(COUNT) ?? [];
    expect(numbers.length).toBeGreaterThan(0);
    expect(new Set(numbers)).toEqual(new Set([String(eventTypes.length)]));
  },
);

test("the workflow builds the site with the commands of this workspace", () => {
  const workflow = readFileSync(join(root, ".github", "workflows", "docs.yml"), "utf8");
  expect(workflow).toContain("run: npm run docs\n");
  expect(workflow).toContain("DOCS_BASE");
  expect(workflow).toContain("path: docs/.vitepress/dist");
});
