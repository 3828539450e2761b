import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../../tools/packages.ts";
import { pagesWithSamples } from "../../samples.ts";
import { diagrams } from "./diagrams.ts";
import { toSvg } from "./draw.ts";

const pages = pagesWithSamples().map((page) => readFileSync(join(root, page), "utf8"));

describe.each(Object.entries(diagrams))("the drawing %s", (name, diagram) => {
  test("is up to date: see npm run generate -- diagrams", () => {
    const file = join(root, "docs", "diagrams", `${name}.svg`);
    expect(readFileSync(file, "utf8")).toBe(toSvg(name, diagram));
  });

  test("is on a page", () => {
    expect(pages.some((page) => page.includes(`diagrams/${name}.svg)`))).toBe(true);
  });
});
