import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventTypes } from "@fieldmesh/webhook-types";
import { makeBadges } from "./badges.ts";

const root = join(import.meta.dirname, "..", "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const folder = join(root, "docs", "public", "badges");

test("the badges say what the packages are: npm run docs:pictures writes them anew", () => {
  const badges = makeBadges();
  expect(readdirSync(folder).sort()).toEqual([...badges.keys()].sort());
  for (const [name, svg] of badges) {
    expect(readFileSync(join(folder, name), "utf8")).toBe(svg);
    expect(readme).toContain(`(docs/public/badges/${name})`);
  }
});

test("the README shows what the tour prints, and leads to the site", () => {
  expect(readme).toContain("(docs/public/tour.png)");
  const links = [...readme.matchAll(/\]\((https:\/\/fieldmesh\.github\.io\/fieldmesh\/[^)#]*)/g)];
  expect(links.length).toBeGreaterThan(5);
  const pages = new Set([
    "",
    "events.html",
    "changelog.html",
    ...readdirSync(join(root, "docs", "guides")).map(
      (name) => `guides/${name.replace(".md", ".html")}`,
    ),
    ...["console", "ledger", "mapper", "mobile"].map((name) => `reference/${name}.html`),
    "api/",
  ]);
  for (const [, url = ""] of links)
    expect(pages).toContain(url.replace("https://fieldmesh.github.io/fieldmesh/", ""));
});

test.each(["README.md", "docs/index.md", "packages/webhook-types/README.md"])(
  "%s names the number of event types",
  (file) => {
    const prose = readFileSync(join(root, file), "utf8");
    const numbers = [...prose.matchAll(/(\d+) (?:webhook events|typed events|types|events)\b/g)];
    expect(numbers.length).toBeGreaterThan(0);
    for (const [, number] of numbers) expect(Number(number)).toBe(eventTypes.length);
  },
);

test("the workflow builds the site with the commands of this workspace", () => {
  const workflow = readFileSync(join(root, ".github", "workflows", "docs.yml"), "utf8");
  expect(workflow).toContain("run: npm run docs\n");
  expect(workflow).toContain("DOCS_BASE");
  expect(workflow).toContain("path: docs/.vitepress/dist");
});
