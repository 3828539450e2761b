// npm run docs -- cards: writes the pictures that messengers show beside a link, with Chromium.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CARDS } from "./cards.ts";
import { findChromium } from "./chromium.ts";

const docs = join(import.meta.dirname, "..");
const folder = join(docs, "public", "cards");
const files = join(docs, "node_modules", "@fontsource-variable");
const executablePath = findChromium();
if (executablePath === undefined) throw new Error("install Chromium");

const icon = readFileSync(join(docs, "public", "icon.svg"), "utf8");
const fonts = [
  ["Hanken Grotesk", "hanken-grotesk"],
  ["Sometype Mono", "sometype-mono"],
].map(([family, name]) => {
  const file = readFileSync(join(files, `${name}/files/${name}-latin-wght-normal.woff2`), "base64");
  return `@font-face { font-family: "${family}"; src: url(data:font/woff2;base64,${file}); font-weight: 100 900 }`;
});
const STYLE = `${fonts.join("\n")}
body { box-sizing: border-box; margin: 0; width: 1200px; height: 630px; padding: 84px 90px; display: flex; flex-direction: column;
  color: #e8eee9; background: #0f1512 radial-gradient(rgb(94 215 165 / 20%) 1.6px, transparent 1.8px) 0 0 / 36px 36px; font-family: "Hanken Grotesk" }
header { display: flex; align-items: center; gap: 22px; font: 600 38px "Sometype Mono" } svg { width: 64px }
h1 { margin: auto 0 22px; max-width: 15em; font-size: 84px; font-weight: 680; line-height: 1.04; letter-spacing: -0.03em }
p { margin: 0; font-size: 36px; color: #b3bfb7 }`;

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
for (const [name, [title, line]] of Object.entries(CARDS)) {
  await page.setContent(
    `<style>${STYLE}</style><header>${icon}fieldmesh</header><h1>${title}</h1><p>${line}</p>`,
  );
  await page.evaluate("document.fonts.ready");
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
await browser.close();
