import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { root } from "../../tools/packages.ts";
import { drawTerminal } from "../site/terminal-svg.ts";

/** Where the tasks leave their pictures, for a person to look at. */
const pictures =
  process.env["FIELDMESH_SCREENSHOTS"] || join(root, "node_modules/.cache/ten-tasks");
mkdirSync(pictures, { recursive: true });

const MOST_ROWS = 60;

/** Takes a picture of a page. */
export async function photograph(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** Takes a picture of the last lines that a terminal shows. */
export async function photographTerminal(
  browser: Browser,
  shown: string,
  { name, columns }: { readonly name: string; readonly columns: number },
): Promise<void> {
  const rows = Math.min(MOST_ROWS, shown.split("\n").length + 1);
  const file = join(pictures, `${name}-${columns}.svg`);
  writeFileSync(file, await drawTerminal(shown, { title: name, columns, rows }));
  const page = await browser.newPage({ viewport: { width: columns * 9 + 40, height: rows * 21 } });
  await page.goto(`${pathToFileURL(file).href}#still`);
  await page.screenshot({ path: file.replace(/svg$/, "png") });
  await page.close();
  rmSync(file);
}
