import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { names } from "../../tools/packages.ts";
import { findBrokenLinks } from "./broken-links.ts";
import {
  cutTables,
  describeInBrowser,
  expectNoFault,
  KINDS,
  openPage,
  openSite,
  pages,
  type Site,
  views,
} from "./open-site.ts";
import { testEveryRun } from "./run/in-browser.ts";
import { siteFolder } from "./serve-site.ts";

// What takes a quarter of an hour: each kind of page in each view, every sample, every width. The other tests of the site are in site.slow.test.ts.
const MINUTES = 60_000;
const LANES = 3;
let site: Site;

beforeAll(async () => {
  site = await openSite(new URL(names.site).pathname);
}, 5 * MINUTES);
afterAll(() => site.close());

describeInBrowser((browser) => {
  const open = (options?: BrowserContextOptions) => openPage(browser(), site, options);

  /** Looks at pages as they are before their programs run: layout and elements are the same then. */
  async function onEveryPage(
    paths: readonly string[],
    options: BrowserContextOptions,
    look: (page: Page, path: string) => Promise<void>,
  ): Promise<void> {
    const context = await browser().newContext({ ...options, javaScriptEnabled: false });
    const waiting = [...paths];
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        const page = await context.newPage();
        for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
          await page.goto(`${site.origin}/${path}`);
          await look(page, path);
        }
      }),
    );
    await context.close();
  }

  describe.each(Object.entries(views))("%s", (_, options) => {
    test.for(KINDS)("%s has nothing that axe finds, no error and no request elsewhere", (path) =>
      expectNoFault(site, path, () => open(options)),
    );
  });

  test("on a phone, no page is wider than the window", { timeout: 5 * MINUTES }, async () => {
    const wide: string[] = [];
    await onEveryPage(someOfEach(pages()), views["a phone's width"]!, async (page, path) => {
      const [needed, given] = await page.evaluate<number[]>(
        "[document.documentElement.scrollWidth, innerWidth]",
      );
      if (needed! > given!) wide.push(`${path}: ${needed} of ${given} pixels`);
    });
    expect(wide).toEqual([]);
  });

  test.for([
    ["a phone", views["a phone's width"]!],
    ["a wide window", { viewport: { width: 1440, height: 900 } }],
  ] as const)(
    "on %s, no table hides a part of a row",
    { timeout: 15 * MINUTES },
    async ([, view]) => {
      const cut: string[] = [];
      await onEveryPage(pages(), view, async (page, path) => {
        cut.push(...(await cutTables(page)).map((text) => `${path}: ${text}`));
      });
      expect(cut).toEqual([]);
    },
  );

  test("on a wide window, no page is wider, and no block of code on a guide scrolls", async () => {
    const wrong: string[] = [];
    const written = pages().filter((path) =>
      /^(index|packages|guides|project|errors|decisions|changelog)/.test(path),
    );
    await onEveryPage(written, { viewport: { width: 1440, height: 900 } }, async (page, path) => {
      const found = await page.evaluate<string[]>(
        `[document.documentElement, ...document.querySelectorAll("pre")]
          .filter((box) => box.scrollWidth > box.clientWidth && box.clientWidth > 0)
          .map((box) => box.textContent.trim().slice(0, 60))`,
      );
      wrong.push(...found.map((text) => `${path}: ${text}`));
    });
    expect(wrong).toEqual([]);
  });

  describe("the Run buttons", () => {
    testEveryRun({ origin: () => site.origin, open });
  });
});

/** Hundreds of pages for symbols and events come from one template each. */
function someOfEach(paths: readonly string[]): string[] {
  const written = paths.filter((path) => !/^(api|events)\//.test(path));
  const generated = paths.filter((path) => /^(api|events)\//.test(path));
  return [...written, ...generated.filter((_, index) => index % 20 === 0)];
}

// The last part, because it builds the site again.
describe("at the root of a host", () => {
  beforeAll(async () => {
    site.close();
    site = await openSite("/", "--keep-pages");
  }, 5 * MINUTES);

  test("no link leads nowhere", () => {
    expect(findBrokenLinks(siteFolder, "/")).toEqual([]);
  });
});
