import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** A code block of a page. */
export interface Sample {
  /** Page and position, such as `errors-and-retries-2`. */
  readonly name: string;
  readonly code: string;
  /** A block marked `ts check` needs something that no test has, such as a proxy: its types are checked only. */
  readonly isExecuted: boolean;
}

const root = join(import.meta.dirname, "..");
const guides = join(import.meta.dirname, "guides");

/** Every TypeScript block of the README and the guides. */
export function readSamples(): Sample[] {
  const pages = [join(root, "README.md"), ...readdirSync(guides).map((name) => join(guides, name))];
  return pages.flatMap((page) => {
    const blocks = [...readFileSync(page, "utf8").matchAll(/^```ts( check)?\n([^]*?)^```$/gm)];
    return blocks.map(([, check, code = ""], index) => ({
      name: `${basename(page, ".md").toLowerCase()}-${index + 1}`,
      code,
      isExecuted: check === undefined,
    }));
  });
}
