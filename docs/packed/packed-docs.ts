// What a package carries beside its code and its README: the guides that concern it, and llms.txt, which points to them.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Files } from "../../tools/files.ts";
import { names, publicEntries, type Package } from "../../tools/packages.ts";
import { ENTRY_TEXTS } from "../site/entry-texts.ts";
import { GUIDES_OF } from "./guides-of.ts";

const docs = join(import.meta.dirname, "..");

/** Returns the files of a package, by their paths in it. */
export function packedDocs(one: Package): Files {
  const guides = GUIDES_OF[one.id] ?? [];
  return new Map([
    ...guides.map((name): [string, string] => [`docs/${name}.md`, packedGuide(name, guides)]),
    ["llms.txt", writeIndex(one, guides)],
  ]);
}

/** Returns a guide as plain Markdown. A link to what the package does not carry leads to the site. */
function packedGuide(name: string, guides: readonly string[]): string {
  return (
    bodyOf(name)
      .replace(/^!\[.*\)\n\n/gm, "")
      .replace(/^::: ?code-group\n\n|^<!--.*-->\n/gm, "")
      .replace(/^:::\n\n?/gm, "")
      .replace(/^```(\w+)[^\n]*\[([^\]]+)\]$/gm, "$2:\n\n```$1")
      .replace(/^```(\w+) [^\n]+$/gm, "```$1")
      // A word that the glossary or another guide defines is plain.
      .replace(/\[([^\]]+)\]\((?:\.\/)?(?:glossary\.md#[^)]*|validation\.md#observed)\)/g, "$1")
      .replace(
        /\]\((?!https?:)([^)#]+)\.md(#[^)]*)?\)/g,
        (_, path: string, anchor = "") => `](${addressOf(path, guides)}${anchor})`,
      )
  );
}

function addressOf(path: string, guides: readonly string[]): string {
  const page = posix.join("guides", path);
  const guide = page.replace(/^guides\//, "");
  if (guides.includes(guide)) return `./${guide}.md`;
  return names.site + (page.endsWith("/index") ? page.slice(0, -"index".length) : `${page}.html`);
}

function writeIndex({ manifest }: Package, guides: readonly string[]): string {
  const types = publicEntries(manifest).map(([entry, source]) => {
    const file = source.replace("./src/", "dist/").replace(/\.ts$/, ".d.ts");
    const text = entry === "." ? manifest.description : (ENTRY_TEXTS[entry.slice(2)] ?? "");
    return link(posix.join(manifest.name, entry), file, text);
  });
  const parts = [
    `# ${manifest.name}`,
    `> ${manifest.description}`,
    "The files below are in this package, of the same version as its code. Other declaration files have parts of these types.",
    list("Guides", [
      link(
        "README.md",
        "README.md",
        "what to install, a first program, the most used functions and the entries",
      ),
      ...guides.map((name) => link(titleOf(name), `docs/${name}.md`, descriptionOf(name))),
    ]),
    types.length > 0 && list("Types and doc comments of each entry", types),
    list("On the site", [
      ...othersOf(manifest.name, guides).map(
        (name) => `- [${titleOf(name)}](${names.site}guides/${name}.md)`,
      ),
      link(
        "All guides",
        `${names.site}llms.txt`,
        "also those of the other packages, and every endpoint and event",
      ),
      link(
        "API reference",
        `${names.site}${types.length > 0 ? `api/${manifest.name}/` : "api/"}`,
        "every export with an example",
      ),
      link("Errors", `${names.site}errors/`, "what each error means, and what to do next"),
    ]),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** The guides whose samples use a package, and which it does not carry. */
function othersOf(name: string, guides: readonly string[]): string[] {
  return readdirSync(join(docs, "guides"))
    .map((file) => file.replace(/\.md$/, ""))
    .filter(
      (guide) => !guides.includes(guide) && new RegExp(`from "${name}["/]`).test(read(guide)),
    );
}

function list(title: string, items: readonly string[]): string {
  return `## ${title}\n\n${items.join("\n")}`;
}

function link(text: string, address: string, about: string): string {
  return `- [${text}](${address}): ${about}`;
}

function read(name: string): string {
  return readFileSync(join(docs, "guides", `${name}.md`), "utf8");
}

function bodyOf(name: string): string {
  return read(name).replace(/^---\n[^]*?\n---\n+/, "");
}

function titleOf(name: string): string {
  return /^# (.+)$/m.exec(bodyOf(name))?.[1] ?? name;
}

function descriptionOf(name: string): string {
  return /^description: "(.*)"$/m.exec(read(name))?.[1] ?? "";
}
