import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../tools/exec.ts";
import { packages } from "../tools/packages.ts";

/** A code block of a page. */
export interface Sample {
  /** Page and position, such as `errors-and-retries-2`. */
  readonly name: string;
  readonly code: string;
  /** A block marked `ts check` needs something that no test has, such as a proxy: its types are checked only. */
  readonly isExecuted: boolean;
  /** The block `text output` that follows, which `npm run generate -- samples` writes; otherwise empty. */
  readonly output: string;
}

const root = join(import.meta.dirname, "..");

/** The columns of the widest line in a block that fits the site without scrolling. */
export const SAMPLE_WIDTH = 76;

/** A TypeScript block of a page, with its output if it has one. A label such as `ts check [Fastify 5]` makes it a tab. */
export const SAMPLE =
  /^(?<block>```ts(?<mark> check(?: \[[^\]]+\])?)?\n(?<code>[^]*?)^```$)(?:\n\n```text output\n(?<output>[^]*?)^```$)?/gm;

/** Every TypeScript block of the pages. */
export function readSamples(): Sample[] {
  return pagesWithSamples().flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(SAMPLE)].map(({ groups = {} }, index) => ({
      name: nameOf(page, index),
      code: groups["code"] ?? "",
      isExecuted: groups["mark"] === undefined,
      output: (groups["output"] ?? "").trimEnd(),
    })),
  );
}

const EXAMPLE = /^[ \t]*\*? ?```ts\n([^]*?)^[ \t]*\*? ?```$/gm;

/** An example of a doc comment. */
export interface DocExample {
  /** Such as `packages/core/src/clock.ts, example 1`. */
  readonly name: string;
  /** The name of the package without its scope. */
  readonly package: string;
  readonly code: string;
}

/** Every example of the doc comments of all packages. */
export function readDocExamples(): DocExample[] {
  return packages.flatMap(({ id, folder }) =>
    readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.includes(".test"))
      .flatMap((name) => {
        const source = readFileSync(join(folder, "src", name), "utf8");
        return [...source.matchAll(EXAMPLE)].map(([, lines = ""], index) => ({
          name: `packages/${id}/src/${name}, example ${index + 1}`,
          package: id,
          code: lines.replace(/^[ \t]*\* ?/gm, ""),
        }));
      }),
  );
}

/** The programs of the folder `examples`. */
export function readPrograms(): { readonly name: string; readonly code: string }[] {
  return namesIn("examples")
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({
      name: `examples/${name}`,
      code: readFileSync(join(root, "examples", name), "utf8"),
    }));
}

/** Blocks of a language on the READMEs, the landing page, the guides, the pages of the project and the decisions. */
export function readBlocks(language: string): { readonly name: string; readonly code: string }[] {
  const pattern = new RegExp(`^\`\`\`(?:${language})\\n([^]*?)^\`\`\`$`, "gm");
  return pagesWithSamples().flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(pattern)].map((block, index) => ({
      name: nameOf(page, index),
      code: block[1] ?? "",
    })),
  );
}

/** Returns the name of a block by its page and its position there. */
export function nameOf(page: string, index: number): string {
  const words = page.replace(/^docs.((guides|project).)?|\.md$/g, "").replace(/\W/g, "-");
  return `${words.toLowerCase()}-${index + 1}`;
}

/** Returns the paths of these pages in the repository. */
export function pagesWithSamples(): string[] {
  const readmes = namesIn("packages").map((name) => join("packages", name, "README.md"));
  const written = ["guides", "project", "decisions", "errors"].flatMap((folder) =>
    filesIn(join("docs", folder)),
  );
  return ["README.md", ...readmes, join("docs", "index.md"), ...written];
}

/** Returns the files of a folder and of the folders in it. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name))
    .sort();
}

function namesIn(folder: string): string[] {
  return readdirSync(join(root, folder));
}

const BLOCK = /^(```(ts|js|json)\b.*\n)([^]*?)^```$/gm;

/** Formats the code blocks of pages to a width that fits the column of the site. `rewrite` changes each page, and is called twice. */
export async function formatBlocks(
  rewrite: (change: (text: string, page: string) => string) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "samples-"));
  const config = join(folder, "oxfmt.json");
  const fileOf = (page: string, index: number, language: string): string =>
    join(folder, `${page.replaceAll(/\W/g, "-")}-${index}.${language === "ts" ? "mts" : language}`);
  writeFileSync(config, JSON.stringify({ printWidth: SAMPLE_WIDTH }));
  rewrite((text, page) => {
    [...text.matchAll(BLOCK)].forEach(([, , language = "", code = ""], index) =>
      writeFileSync(fileOf(page, index, language), code),
    );
    return text;
  });
  await exec("oxfmt", ["--config", config, folder]);
  rewrite((text, page) => {
    let index = 0;
    return text.replace(BLOCK, (_, head: string, language: string) => {
      const formatted = readFileSync(fileOf(page, index++, language), "utf8");
      return `${head}${formatted}\`\`\``;
    });
  });
  rmSync(folder, { recursive: true });
}
