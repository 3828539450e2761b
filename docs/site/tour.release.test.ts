import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../tools/packages.ts";
import { findChromium } from "./chromium.ts";
import { drawTerminal, textsOf } from "./terminal-svg.ts";
import { runTour, TOUR } from "./tour.ts";

const LIMIT = 60_000;
const file = join(root, "docs/public", TOUR.file);
const svg = readFileSync(file, "utf8");

test("shows what the tour prints now; if not, run npm run docs -- pictures", async () => {
  const shown = await runTour();
  // A number may depend on the moment of an interruption.
  const masked = (picture: string) => textsOf(picture).map((text) => text.replaceAll(/\d+/g, "0"));
  expect(masked(svg)).toEqual(masked(await drawTerminal(shown, TOUR)));
});

test("is small, and shows nothing of the machine and no key", () => {
  expect(svg.length).toBeLessThan(LIMIT);
  const text = textsOf(svg).join("\n");
  expect(text).not.toMatch(/\/(tmp|home|root|work|Users)\/|localhost|whsec_|correct horse/);
  expect(text).not.toMatch(/\b[0-9A-F]{32}\b/i);
});

const program = findChromium();
describe.skipIf(program === undefined)("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program!, args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());

  const open = async (colorScheme: "light" | "dark", hash = "") => {
    const page = await browser.newPage({
      colorScheme,
      reducedMotion: hash === "" ? "reduce" : null,
    });
    await page.goto(pathToFileURL(file).href + hash);
    return page.evaluate(`(() => {
      const texts = [...document.querySelectorAll("text:not(.o)")];
      return {
        paper: getComputedStyle(document.querySelector("#p")).fill,
        hidden: texts.filter((each) => getComputedStyle(each).visibility === "hidden").length,
        replaced: [...document.querySelectorAll(".o")].filter((each) => getComputedStyle(each).display !== "none").length,
        // The last line is inside the frame.
        bottom: Math.max(...texts.map((each) => each.getBoundingClientRect().bottom)) <= document.documentElement.getBoundingClientRect().bottom,
        animations: document.getAnimations().length,
      };
    })()`);
  };
  const still = { hidden: 0, replaced: 0, bottom: true, animations: 0 };

  test("keeps still for who prefers it, in both themes", async () => {
    expect(await open("light")).toEqual({ ...still, paper: "rgb(246, 248, 250)" });
    expect(await open("dark")).toEqual({ ...still, paper: "rgb(20, 24, 28)" });
    expect(await open("light", "#still")).toMatchObject(still);
  });

  test("the first frame is a full terminal, and a later one shows only what was typed until then", async () => {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    const rowsAt = (milliseconds: number) =>
      page.evaluate<number>(`(() => {
        for (const each of document.getAnimations()) {
          each.pause();
          each.currentTime = ${milliseconds};
        }
        const frame = document.documentElement.getBoundingClientRect();
        return [...document.querySelectorAll("text")].filter((each) => {
          const { top, bottom } = each.getBoundingClientRect();
          return getComputedStyle(each).visibility === "visible" && top >= frame.top && bottom <= frame.bottom;
        }).length;
      })()`);
    // Some lines are empty.
    expect(await rowsAt(0)).toBeGreaterThan(TOUR.rows / 2);
    expect(await rowsAt(2_001)).toBeLessThan(3);
    await page.close();
  });
});
