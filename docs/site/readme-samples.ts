import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packages, root } from "../../tools/packages.ts";
import { SAMPLE } from "../samples.ts";
import { page, withFrontmatter } from "./markdown.ts";

/** Writes a page with the samples of the READMEs, because GitHub and npm cannot run them. */
export function writeReadmeSamples(): string {
  const sections = packages.map(({ folder, manifest }) => {
    const samples = samplesOf(folder);
    const api = `[All exports](./api/${manifest.name}/index.md)`;
    return (
      samples &&
      page([`## \`${manifest.name}\``, `${manifest.description}. ${api}`, samples]).trim()
    );
  });
  return withFrontmatter(
    {
      title: "Packages",
      description:
        "The samples from the READMEs of all packages. Run them in your browser, against a sandbox in the page.",
    },
    page([
      "# Packages",
      "This page shows the samples from the README of the repository and of each package. To run one in your browser, press **Run** below it.",
      samplesOf(root),
      ...sections,
    ]),
  );
}

/** Returns the samples of a README with their outputs. */
function samplesOf(folder: string): string {
  const samples = readFileSync(join(folder, "README.md"), "utf8").matchAll(SAMPLE);
  return [...samples].map(([sample]) => sample).join("\n\n");
}
