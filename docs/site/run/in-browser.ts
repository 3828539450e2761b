import { AxeBuilder } from "@axe-core/playwright";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stable } from "../../sample-output.ts";
import { openSamples, type SampleRuns } from "../../sample-run.ts";
import { readSamples } from "../../samples.ts";
import { pages, views } from "../open-site.ts";
import { runnableSamples } from "./bundle.ts";

/** A site in a browser, as the tests of the site open it. */
interface OpenSite {
  readonly origin: () => string;
  /** Opens a page of the browser. What no page may do is in `faults`. */
  readonly open: (
    options?: BrowserContextOptions,
  ) => Promise<{ readonly page: Page; readonly faults: readonly string[] }>;
}

const MINUTES = 60_000;
/** It has samples with a button, and samples that need a database. */
const GUIDE = "guides/receiving-webhooks.html";
/** A worker that never ends. */
const ENDLESS = "onmessage = () => { for (;;); };";

const ENDED: ReadonlySet<string> = new Set(["done", "failed", "stopped"]);

/** Samples in Node and in the page of a browser. */
function setUp({ origin, open }: OpenSite) {
  const samples = readSamples();
  let runs: SampleRuns;

  beforeAll(async () => {
    runs = await openSamples(samples);
  });
  afterAll(() => runs.close());

  async function openGuide(options: BrowserContextOptions = {}) {
    const opened = await open(options);
    await opened.page.goto(`${origin()}/${GUIDE}`, { waitUntil: "networkidle" });
    return { ...opened, boxes: opened.page.locator("[data-sample]") };
  }

  /** Node evaluates a module once. */
  const outputs = new Map<string, Promise<string>>();

  async function expectAsInNode(box: Locator): Promise<void> {
    const name = (await box.getAttribute("data-sample"))!;
    outputs.set(name, outputs.get(name) ?? runs.print(name));
    const output = await outputs.get(name);
    expect({ name, ...(await resultOf(box)) }).toEqual({ name, state: "done", output });
  }

  return { openGuide, expectAsInNode };
}

/** Tests the Run buttons of a built site. */
export function testRuns(site: OpenSite): void {
  const { openGuide, expectAsInNode } = setUp(site);

  test("a click loads one file, and later runs need no network", async () => {
    const { page, boxes, faults } = await openGuide();
    const requests: string[] = [];
    // The pages that a reader may open next are loaded ahead, at a time that the browser chooses.
    page.on("request", (request) => {
      if (request.url().includes("/samples/")) requests.push(request.url());
    });
    const before = await page.evaluate<string[]>(
      `performance.getEntriesByType("resource").map(({ name }) => name)`,
    );
    expect(before.filter((url) => url.includes("/samples/"))).toEqual([]);
    const [first, second] = await boxes.all();
    await first!.getByRole("button").focus();
    await page.keyboard.press("Enter");
    await expectAsInNode(first!);
    expect(faults).toEqual([]);
    await page.context().setOffline(true);
    for (const box of [second!, first!]) {
      await box.getByRole("button").click();
      await expectAsInNode(box);
    }
    expect(requests).toEqual([`${site.origin()}/samples/receiving-webhooks-with-webhooks.js`]);
    await page.context().close();
  });

  test("a bundle that does not load can be asked for again", async () => {
    const { page, boxes } = await openGuide();
    const box = boxes.first();
    await page.context().setOffline(true);
    await box.getByRole("button", { name: "Run this sample" }).click();
    const { state, output } = await resultOf(box);
    expect(state).toBe("failed");
    expect(output).toBe(
      "The samples could not be loaded. Check your network and run the sample again.",
    );
    await page.context().setOffline(false);
    await box.getByRole("button", { name: "Run this sample" }).click();
    await expectAsInNode(box);
    await page.context().close();
  });

  test("a run is stopped by its button, and after 30 seconds", async () => {
    const { page, boxes } = await openGuide();
    await page.route("**/samples/*.js", (route) =>
      route.fulfill({ body: ENDLESS, contentType: "text/javascript" }),
    );
    await page.clock.install();
    const box = boxes.first();
    const stateOf = () => box.getAttribute("data-state");
    await box.getByRole("button").click();
    await expect.poll(stateOf).toBe("running");
    await box.getByRole("button", { name: "Stop this sample" }).click();
    expect(await resultOf(box)).toEqual({ state: "stopped", output: "" });
    await box.getByRole("button").click();
    await expect.poll(stateOf).toBe("running");
    await page.clock.fastForward(30_000);
    expect(await resultOf(box)).toEqual({
      state: "failed",
      output: "The sample was stopped after 30 seconds.",
    });
    await page.context().close();
  });
}

/** Runs every sample of a built site, and looks at a page after a run. This takes minutes. */
export function testEveryRun(site: OpenSite): void {
  const { openGuide, expectAsInNode } = setUp(site);

  test("every sample that can run prints in its page what it prints in Node", async () => {
    const ran = new Set<string>();
    const { page, faults } = await site.open();
    for (const path of pages().filter((each) =>
      /^(index|packages|guides|errors|decisions)/.test(each),
    )) {
      await page.goto(`${site.origin()}/${path}`, { waitUntil: "networkidle" });
      for (const box of await page.locator("[data-sample]").all()) {
        // The landing page has samples in tabs that are not shown.
        await box.getByRole("button", { includeHidden: true }).dispatchEvent("click");
        await expectAsInNode(box);
        ran.add((await box.getAttribute("data-sample"))!);
      }
    }
    expect([...ran].sort()).toEqual(
      runnableSamples()
        .map(({ name }) => name)
        .sort(),
    );
    expect(faults).toEqual([]);
    console.log(`${ran.size} samples printed in Chromium what they print in Node`);
    await page.context().close();
  });

  test.for(Object.entries(views))("%s: axe finds nothing after a run", async ([, options]) => {
    const { page, boxes, faults } = await openGuide(options);
    expect(await page.locator(".fm-needs").first().textContent()).toContain("Needs a database");
    await boxes.first().getByRole("button").click();
    await expectAsInNode(boxes.first());
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    const [needed, given] = await page.evaluate<number[]>(
      "[document.documentElement.scrollWidth, innerWidth]",
    );
    expect(needed).toBeLessThanOrEqual(given!);
    expect(faults).toEqual([]);
    await page.context().close();
  });
}

/** Waits until the run of a sample has ended, and returns how it ended and what the page shows. */
async function resultOf(box: Locator): Promise<{ state: string | null; output: string }> {
  await expect
    .poll(() => box.getAttribute("data-state"), { timeout: MINUTES })
    .toSatisfy((state: string) => ENDED.has(state));
  const texts = await box.locator("pre").allTextContents();
  return { state: await box.getAttribute("data-state"), output: stable(texts.join("")) };
}
