import { join, posix, relative } from "node:path";
import llms from "vitepress-plugin-llms";
import { names } from "../../tools/packages.ts";
import { outsideCode } from "./markdown.ts";

const docs = join(import.meta.dirname, "..");
/** Pages that have no Markdown on the site. */
const WITHOUT_MARKDOWN = /^(api\/|(changelog|packages|index)\.md$)/;
/** What our pages write as HTML, which the plugin would remove, and the same as Markdown. */
const FORMS: readonly [form: RegExp, markdown: string][] = [
  [/<p class="fm-route"><b>(\w+)<\/b> <code>(.*?)<\/code>(.*)<\/p>/g, "`$1 $2`$3"],
  [/<small class="fm-mark[^>]*>(.*?)<\/small>/g, "($1)"],
  [/<br>(?=<small class="fm-wire">)/g, ", "],
  [/<a href="([^"]+)" target="_self">(.*?)<\/a>/g, "[$2]($1)"],
  [/!\[([^\]]*)\]\([^)]*\/diagrams\/[^)]*\)/g, "Diagram: $1"],
];
const LINK = /\]\((?!\w+:|#)([^)#\s]+)/g;

/** Creates the plugins that write the pages as Markdown for machines, llms.txt and llms-full.txt. */
export function machinePages(description: string, base: string): ReturnType<typeof llms> {
  const [reader, writer] = llms({
    ignoreFiles: ["api/**", "changelog.md", "packages.md"],
    description,
    // It adds the base.
    domain: base === "/" ? names.site.replace(/\/$/, "") : new URL(names.site).origin,
  });
  const read = reader.transform as (source: string, id: string) => unknown;
  // The plugin returns the first page, with a hint for machines: it is for the site.
  const transform = (source: string, id: string): unknown =>
    read(/(?<!\/docs\/index)\.md$/.test(id) ? asMarkdown(source, relative(docs, id)) : source, id);
  return [{ ...reader, transform } as typeof reader, writer];
}

/** Returns a page of docs as plain Markdown that is read away from the site: each link has the whole address. */
export function asMarkdown(source: string, path: string): string {
  return outsideCode(source, (part) =>
    FORMS.reduce((text, [form, markdown]) => text.replace(form, markdown), part).replace(
      LINK,
      (_, target: string) => `](${addressOf(posix.join(posix.dirname(path), target))}`,
    ),
  );
}

/** The plugin writes `errors/index.md` as `errors.md`. */
function addressOf(target: string): string {
  const path = target.replace(/^(\.\.\/)*public\/|^\//, "");
  if (!WITHOUT_MARKDOWN.test(path)) return names.site + path.replace(/\/index\.md$/, ".md");
  return names.site + path.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html");
}
