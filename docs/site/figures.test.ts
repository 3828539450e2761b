import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { groups } from "../../tools/command-table.ts";
import { root } from "../../tools/packages.ts";
import { readFigures } from "./figures.ts";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

test.for(readFigures())("the page behind $value has this figure", ({ value, link }) => {
  const page = readFileSync(join(root, "docs", link.replace(/\.html.*/, ".md")), "utf8");
  expect(page.replace(/(?<=\d),(?=\d)/g, "")).toContain(value.replace(/,| ×/g, ""));
});

test.for(readFigures())(
  "npm run $command prints a figure of the landing page",
  ({ command, value }) => {
    const [script = "", name] = command.split(" -- ");
    expect(scripts).toHaveProperty([script]);
    if (name !== undefined) expect(groups[script]).toHaveProperty([name]);
    expect(value).toMatch(/^\d/);
  },
);
