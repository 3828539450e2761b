// What a reader does on the site, with a picture.
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser, openPage, openSite, type Site } from "../site/open-site.ts";
import { photograph } from "./photograph.ts";

const MINUTES = 60_000;
const GUIDE = "/guides/receiving-webhooks.html";

describeInBrowser((browser) => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite("/");
  }, 15 * MINUTES);
  afterAll(() => site.close());

  test("7: find “receive a webhook” in search", async () => {
    const { page, faults } = await openPage(browser(), site);
    await page.goto(site.origin, { waitUntil: "networkidle" });
    await page.keyboard.press("Control+k");
    await page.locator(".search-input").fill("receive a webhook");
    const results = page.locator(".results .result");
    // The index of the whole site is parsed on the first search.
    await results.first().waitFor({ timeout: MINUTES });
    await photograph(page, "7-search");
    expect(await results.first().getAttribute("href")).toContain(GUIDE);
    await results.first().click();
    await page.getByRole("heading", { level: 1, name: /Receive webhooks/ }).waitFor();
    await photograph(page, "7-guide");
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("8: run a sample", async () => {
    const { page, faults } = await openPage(browser(), site);
    await page.goto(site.origin + GUIDE, { waitUntil: "networkidle" });
    const sample = page.locator("[data-sample]").first();
    await sample.getByRole("button", { name: "Run this sample" }).click();
    await expect.poll(() => sample.getAttribute("data-state"), { timeout: MINUTES }).toBe("done");
    await sample.scrollIntoViewIfNeeded();
    await photograph(page, "8-sample");
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
