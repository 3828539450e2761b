import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../tools/packages.ts";
import { pagesWithSamples } from "../../samples.ts";
import { drawDiagrams } from "./diagrams.ts";

const pages = pagesWithSamples().map((page) => readFileSync(join(root, page), "utf8"));

test.for([...drawDiagrams().keys()])("the drawing %s is on a page", (path) => {
  expect(pages.some((page) => page.includes(`${path.replace("docs/", "")})`))).toBe(true);
});
