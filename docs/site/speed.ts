// npm run bench -- site: measures a page of each kind and the ten largest pages of the built site on a slowed-down phone, with
// Lighthouse, which it downloads. Needs Chromium, and npm run docs before it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../../tools/exec.ts";
import { findChromium } from "./chromium.ts";
import { KINDS } from "./open-site.ts";
import { serveSite, siteFolder } from "./serve-site.ts";

const LIGHTHOUSE = "lighthouse@13.5.0";
const MOST_BLOCKING = 300;
const LARGEST = 10;
/** Lighthouse shows a smaller shift as 0. */
const NO_SHIFT = 0.001;

interface Report {
  readonly audits: Readonly<Record<string, { readonly numericValue: number }>>;
}

const CHROME_PATH = findChromium();
if (CHROME_PATH === undefined) throw new Error("install Chromium");
const sizes = readdirSync(siteFolder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".html") && path !== "404.html")
  .map((path) => [`/${path}`, statSync(join(siteFolder, path)).size] as const)
  .sort(([, one], [, other]) => other - one);
const paths = new Set([...KINDS, ...sizes.slice(0, LARGEST).map(([path]) => path)]);

const folder = mkdtempSync(join(tmpdir(), "site-speed-"));
const site = await serveSite(process.env["DOCS_BASE"]);
await exec("npm", ["install", "--no-save", "--prefix", folder, LIGHTHOUSE]);
const program = join(folder, "node_modules", "lighthouse", "cli", "index.js");
console.log("page, ms of blocking time, layout shift");
for (const path of paths) {
  const file = join(folder, "report.json");
  const flags = ["--output=json", `--output-path=${file}`, "--only-categories=performance"];
  const chrome = "--chrome-flags=--headless=new --no-sandbox";
  const env = { CHROME_PATH };
  await exec(process.execPath, [program, site.origin + path, ...flags, "--quiet", chrome], { env });
  const { audits } = JSON.parse(readFileSync(file, "utf8")) as Report;
  const blocking = audits["total-blocking-time"]!.numericValue;
  const shift = audits["cumulative-layout-shift"]!.numericValue;
  console.log(`${path}, ${Math.round(blocking)}, ${shift.toFixed(3)}`);
  if (blocking > MOST_BLOCKING || shift >= NO_SHIFT) process.exitCode = 1;
}
site.close();
rmSync(folder, { recursive: true });
