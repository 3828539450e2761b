import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packages, root } from "../tools/packages.ts";

/** A code block of a page. */
export interface Sample {
  /** Page and position, such as `errors-and-retries-2`. */
  readonly name: string;
  readonly code: string;
  /** A block marked `ts check` needs something that no test has, such as a proxy: its types are checked only. */
  readonly isExecuted: boolean;
}

const guides = join(import.meta.dirname, "guides");

/** Every TypeScript block of the READMEs and the guides. */
export function readSamples(): Sample[] {
  const readmes = ["README.md", ...packages.map(({ id }) => join("packages", id, "README.md"))];
  const pages = [...readmes, ...readdirSync(guides).map((name) => join("docs", "guides", name))];
  return pages.flatMap((page) => {
    const blocks = [...readFileSync(join(root, page), "utf8").matchAll(/^```ts( check)?\n([^]*?)^```$/gm)];
    return blocks.map(([, check, code = ""], index) => ({
      name: `${page.replace(/^docs.guides.|\.md$/g, "").replace(/\W/g, "-").toLowerCase()}-${index + 1}`,
      code,
      isExecuted: check === undefined,
    }));
  });
}
