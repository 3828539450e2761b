import { execFileSync } from "node:child_process";
import type { HeadConfig } from "vitepress";
import { names, root } from "../../tools/packages.ts";

/** Tells whether Git has only the newest commits, as after a checkout for a deployment. */
export function isShallow(): boolean {
  const words = ["rev-parse", "--is-shallow-repository"];
  return execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim() !== "false";
}

/** Loads a font before the styles ask for it. */
export function preload(href: string): HeadConfig {
  return ["link", { rel: "preload", as: "font", type: "font/woff2", href, crossorigin: "" }];
}

/** What search engines and messengers read: the address of the page and its texts. */
export function describePage(path: string, title: string, description: string): HeadConfig[] {
  const address = path.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html");
  const url = new URL(address, names.site).href;
  const facts = {
    "og:type": "website",
    "og:site_name": "fieldmesh",
    "og:title": title,
    "og:description": description,
    "og:url": url,
  };
  return [
    ["link", { rel: "canonical", href: url }],
    ...Object.entries(facts).map(([property, content]): HeadConfig => [
      "meta",
      { property, content },
    ]),
    ["meta", { name: "twitter:card", content: "summary" }],
  ];
}

const LONGEST = 155;

/** Returns the description of a page that has none: its first paragraph, shortened. */
export function describe(
  page: { readonly title: string; readonly filePath: string },
  text: string,
): string {
  const symbol = SYMBOL.exec(page.filePath);
  if (page.filePath.startsWith("api/") && symbol === null)
    return `API of ${page.title === "API reference" ? "all packages" : page.title}: every export with a sentence, functions first.`;
  const [, entry = "", kind = "", name = ""] = symbol ?? [];
  const what = symbol === null ? "" : `${name} (${kind.replace("-", " ")} of ${entry}): `;
  return shorten(what + firstParagraph(text));
}

/** The page of a symbol of the API. */
const SYMBOL = /^api\/(.+)\/(functions|classes|variables|interfaces|type-aliases)\/(.+)\.md$/;

function firstParagraph(text: string): string {
  const first = text
    .replace(/^---\n[^]*?\n---\n/, "")
    .split(/\n{2,}/)
    // TypeDoc begins a page with the way to it, and signatures are quotes.
    .find((block) => !/^(#|```|<|>|\||:::|\[fieldmesh\])/.test(block.trim()));
  return plain(first ?? "");
}

function plain(text: string): string {
  return (
    text
      .replace(/\*\*Context\.\*\*/, "")
      .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
      .replace(/[`*]/g, "")
      // The description becomes an HTML attribute.
      .replaceAll('"', "'")
      .replace(/\s+/g, " ")
      .trim()
  );
}

function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST - 1).replace(/\s+\S*$/, "")}…`;
}
