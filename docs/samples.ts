import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A code block of a page. */
export interface Sample {
  /** Page and position, such as `errors-and-retries-2`. */
  readonly name: string;
  readonly code: string;
  /** A block marked `ts check` needs something that no test has, such as a proxy: its types are checked only. */
  readonly isExecuted: boolean;
}

const root = join(import.meta.dirname, "..");

/** Every TypeScript block of the pages. */
export function readSamples(): Sample[] {
  return readBlocks("ts( check)?").map(({ name, code, mark }) => ({
    name,
    code,
    isExecuted: mark === undefined,
  }));
}

/** Blocks of a language on the READMEs, the landing page, the guides and the decisions. */
export function readBlocks(
  language: string,
): { readonly name: string; readonly code: string; readonly mark: string | undefined }[] {
  const readmes = namesIn("packages").map((name) => join("packages", name, "README.md"));
  const written = ["guides", "decisions"].flatMap((folder) =>
    namesIn(`docs/${folder}`).map((name) => join("docs", folder, name)),
  );
  const pattern = new RegExp(`^\`\`\`(?:${language})\\n([^]*?)^\`\`\`$`, "gm");
  return ["README.md", ...readmes, join("docs", "index.md"), ...written].flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(pattern)].map((block, index) => ({
      name: `${page
        .replace(/^docs.(guides.)?|\.md$/g, "")
        .replace(/\W/g, "-")
        .toLowerCase()}-${index + 1}`,
      code: block.at(-1) ?? "",
      mark: block.length > 2 ? block[1] : undefined,
    })),
  );
}

function namesIn(folder: string): string[] {
  return readdirSync(join(root, folder));
}
