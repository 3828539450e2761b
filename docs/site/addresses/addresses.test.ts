import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { createMarkdownRenderer } from "vitepress";
import { expect, test } from "vitest";
import { names, packages, root } from "../../../tools/packages.ts";
import known from "./known.json" with { type: "json" };
import { currentAddress, MOVES } from "./moves.ts";
import { scriptOf } from "./redirects.ts";

// Readers have these addresses: in books, in issues, in errors that they logged, and in packages that they installed.

const docs = join(root, "docs");
const renderer = await createMarkdownRenderer(docs, { highlight: (code) => code });

/** Each page as HTML, rendered once. */
const rendered = new Map<string, string>();
function htmlOf(page: string): string {
  const path = join(docs, `${page}.md`);
  const html =
    rendered.get(page) ??
    renderer.render(readFileSync(path, "utf8"), { path, relativePath: `${page}.md` });
  rendered.set(page, html);
  return html;
}

function leadsSomewhere(address: string): boolean {
  const [page = "", heading] = address.split("#");
  if (!existsSync(join(docs, `${page}.md`))) return false;
  return heading === undefined || htmlOf(page).includes(` id="${heading}"`);
}

const written = ["guides", "project", "errors", "decisions"].flatMap((folder) =>
  readdirSync(join(docs, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .map((name) => join(folder, name.replace(/\.md$/, ""))),
);

test("each known address leads to a page and a heading that exist", () => {
  const old = Object.entries(known).flatMap(([page, headings]) => [
    page,
    ...headings.map((heading) => `${page}#${heading}`),
  ]);
  expect(old.length).toBeGreaterThan(700);
  const lost = old.filter((address) => !leadsSomewhere(currentAddress(address)));
  expect(lost).toEqual([]);
});

test("a heading that a page has lost leads to its new page, also in a browser", () => {
  expect(currentAddress("guides/secrets")).toBe("guides/security#secrets");
  expect(currentAddress("guides/secrets#storing-on-purpose")).toBe(
    "guides/security#storing-on-purpose",
  );
  expect(currentAddress("guides/receiving-webhooks#order")).toBe("guides/webhooks#order");
  expect(currentAddress("guides/receiving-webhooks#going-live")).toBe(
    "guides/receiving-webhooks#going-live",
  );
  expect(scriptOf("guides/receiving-webhooks", "/x/")).toContain(
    `"order":"/x/guides/webhooks.html#order"`,
  );
  expect(scriptOf("guides/mapping", "/x/")).toBeUndefined();
});

test("a moved page leads to its new place at once", () => {
  const targets = Object.values(MOVES).flatMap(({ page, headings = {} }) => [
    ...(page === undefined ? [] : [page]),
    ...Object.values(headings),
  ]);
  expect(targets.filter((address) => !leadsSomewhere(address))).toEqual([]);
});

test("each link between pages leads to a page and a heading that exist", () => {
  const broken = written.flatMap((page) =>
    [...htmlOf(page).matchAll(/<a\b[^>]*\shref="([^"]+)"/g)].flatMap(([, href = ""]) => {
      const [path = "", heading] = href.split("#");
      if (/^[a-z]+:|^\//.test(path) || (path !== "" && !path.endsWith(".html"))) return [];
      const target = path === "" ? page : join(dirname(page), path);
      const address = target.replace(/\.html$/, "");
      if (/^(api|reference|events|changelog|packages)\b/.test(address)) return [];
      const whole = heading === undefined ? address : `${address}#${heading}`;
      return address.endsWith("/index") || leadsSomewhere(whole) ? [] : [`${page}: ${href}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("a published package links to the site, and each of these links leads to its paragraph", () => {
  const files = [
    ...packages.flatMap(({ folder }) => filesOf(folder)),
    ...filesOf(join(root, ".changeset")),
  ];
  const broken: string[] = [];
  let links = 0;
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const name = relative(root, file);
    // A file on the main branch can be gone when someone follows the link of an old version.
    if (text.includes("/blob/main/docs/")) broken.push(`${name}: a link to /blob/main/docs/`);
    for (const [, address = ""] of text.matchAll(
      new RegExp(`${names.site}((?:guides|project|errors)/[\\w/.#-]*[\\w-])`, "g"),
    )) {
      links++;
      if (!leadsSomewhere(address.replace(".html", ""))) broken.push(`${name}: ${address}`);
    }
  }
  expect(links).toBeGreaterThan(20);
  expect(broken).toEqual([]);
});

/** Returns the sources of a package and its texts, which the changelog becomes part of. */
function filesOf(folder: string): string[] {
  const inside = (part: string): string[] => {
    const path = join(folder, part);
    if (!existsSync(path)) return [];
    return readdirSync(path, { recursive: part !== "", encoding: "utf8" })
      .filter((name) => /\.(ts|md)$/.test(name) && !name.includes(".test."))
      .map((name) => join(path, name));
  };
  return ["", "src", "page"].flatMap(inside);
}
