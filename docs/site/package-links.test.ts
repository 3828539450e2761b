import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createMarkdownRenderer } from "vitepress";
import { expect, test } from "vitest";
import { names, packages, root } from "../../tools/packages.ts";
import { packedDocs } from "../packed/packed-docs.ts";

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

test("a published package links to the site, and each of these links leads to its paragraph", () => {
  const sources = [
    ...packages.flatMap(({ folder }) => filesOf(folder)),
    ...filesOf(join(root, ".changeset")),
  ].map((file) => [relative(root, file), readFileSync(file, "utf8")] as const);
  const packed = packages.flatMap((one) =>
    [...packedDocs(one)].map(([file, text]) => [`${one.id}/${file}`, text] as const),
  );
  const broken: string[] = [];
  let links = 0;
  for (const [name, text] of [...sources, ...packed]) {
    // A file on the main branch can be gone when someone follows the link of an old version.
    if (text.includes("/blob/main/docs/")) broken.push(`${name}: a link to /blob/main/docs/`);
    for (const [, address = ""] of text.matchAll(
      new RegExp(`${names.site}((?:guides|project|errors)/[\\w/.#-]*[\\w-])`, "g"),
    )) {
      links++;
      if (!leadsSomewhere(address.replace(/\.(html|md)/, ""))) broken.push(`${name}: ${address}`);
    }
  }
  expect(links).toBeGreaterThan(10);
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
