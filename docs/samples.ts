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

/** Every TypeScript block of the READMEs, the landing page, the guides and the decisions. */
export function readSamples(): Sample[] {
  const readmes = namesIn("packages").map((name) => join("packages", name, "README.md"));
  const written = ["guides", "decisions"].flatMap((folder) =>
    namesIn(`docs/${folder}`).map((name) => join("docs", folder, name)),
  );
  const pages = ["README.md", ...readmes, join("docs", "index.md"), ...written];
  return pages.flatMap((page) => {
    const blocks = [
      ...readFileSync(join(root, page), "utf8").matchAll(/^```ts( check)?\n([^]*?)^```$/gm),
    ];
    return blocks.map(([, check, code = ""], index) => ({
      name: `${page
        .replace(/^docs.(guides.)?|\.md$/g, "")
        .replace(/\W/g, "-")
        .toLowerCase()}-${index + 1}`,
      code,
      isExecuted: check === undefined,
    }));
  });
}

function namesIn(folder: string): string[] {
  return readdirSync(join(root, folder));
}
