import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../tools/packages.ts";
import { findChromium } from "./chromium.ts";
import { recordings, runRecording } from "./recordings.ts";
import { drawTerminal, textsOf } from "./terminal-svg.ts";

const LIMIT = 60_000;
const fileOf = (file: string) => join(root, "docs/public", file);

describe.each(recordings)("$file", (recording) => {
  const svg = readFileSync(fileOf(recording.file), "utf8");

  test("shows what the commands print now; if not, run npm run docs -- pictures", async () => {
    const shown = await runRecording(recording);
    // A number may depend on the moment of an interruption.
    const masked = (picture: string) =>
      textsOf(picture).map((text) => text.replaceAll(/\d+/g, "0"));
    expect(masked(svg)).toEqual(masked(await drawTerminal(shown, recording)));
    const lines = stripVTControlCharacters(shown).split(/[\r\n]+/);
    const commands = lines
      .filter((line) => line.startsWith("$ fieldmesh "))
      .map((line) => line.slice(2));
    if (recording.guide === undefined) return;
    const guide = readFileSync(join(root, "docs/guides", `${recording.guide}.md`), "utf8");
    expect(commands).not.toEqual([]);
    // A long line of a guide continues after a backslash.
    const unbroken = guide.replaceAll(/\s*\\\n\s*/g, " ");
    for (const command of commands) expect(unbroken).toContain(command);
  });

  test("is small, and shows nothing of the machine and no key", () => {
    expect(svg.length).toBeLessThan(LIMIT);
    const text = textsOf(svg).join("\n");
    expect(text).not.toMatch(/\/(tmp|home|root|work|Users)\/|localhost|whsec_|correct horse/);
    expect(text).not.toMatch(/\b[0-9A-F]{32}\b/i);
  });
});

const program = findChromium();
describe.skipIf(program === undefined)("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program!, args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());

  const open = async (file: string, colorScheme: "light" | "dark", hash = "") => {
    const page = await browser.newPage({
      colorScheme,
      reducedMotion: hash === "" ? "reduce" : null,
    });
    await page.goto(pathToFileURL(fileOf(file)).href + hash);
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

  test.each(recordings)(
    "$file keeps still for who prefers it, in both themes",
    async ({ file }) => {
      expect(await open(file, "light")).toEqual({ ...still, paper: "rgb(246, 248, 250)" });
      expect(await open(file, "dark")).toEqual({ ...still, paper: "rgb(20, 24, 28)" });
      expect(await open(file, "light", "#still")).toMatchObject(still);
    },
  );
});
