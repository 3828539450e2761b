// npm run docs:pictures: writes a picture of the tour. npm run events writes the badges.
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import Convert from "ansi-to-html";
import { chromium } from "playwright-core";
import { exec } from "../../tools/exec.ts";
import { findChromium } from "./chromium.ts";

const folder = join(import.meta.dirname, "..", "public");
/** The chapters in the picture. */
const SHOWN = [/^1\. /, /^7\. /, /^10\. /];
const LINES = 30;
const WIDTH = 900;

const output = await exec(process.execPath, ["examples/tour.ts"], {
  // An empty NO_COLOR lets Node use colours.
  env: { FORCE_COLOR: "1", NO_COLOR: "" },
});
/** Each chapter begins with a bold line. */
const BOLD = "\u001B[1m";
const chapters = output.split(`\n${BOLD}`).map((chapter) => `${BOLD}${chapter.replace(BOLD, "")}`);
const text = chapters
  .filter((chapter) => SHOWN.some((title) => title.test(stripVTControlCharacters(chapter))))
  .join("\n")
  .split("\n")
  .slice(0, LINES)
  .join("\n");
const executablePath = findChromium();
if (executablePath === undefined) throw new Error("install Chromium");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({
  viewport: { width: WIDTH, height: 100 },
  deviceScaleFactor: 1.5,
});
const html = new Convert({
  fg: "#d6dbe0",
  colors: { 1: "#ff8a80", 2: "#4fd1a1", 6: "#62c8f0" },
  escapeXML: true,
}).toHtml(text);
await page.setContent(
  `<pre style="margin:0;padding:20px;white-space:pre-wrap;background:#14181c;color:#d6dbe0;font:13px/1.45 'DejaVu Sans Mono',monospace">$ npm start\n${html}</pre>`,
);
await page.locator("pre").screenshot({ path: join(folder, "tour.png") });
await browser.close();
console.log("written: docs/public/badges, docs/public/tour.png");
