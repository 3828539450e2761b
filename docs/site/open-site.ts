import { readdirSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { exec } from "../../tools/exec.ts";
import { root } from "../../tools/packages.ts";
import { findChromium } from "./chromium.ts";
import { serveSite, siteFolder } from "./serve-site.ts";

const MINUTE = 60_000;
const WIDE = { width: 1280, height: 900 };

/** The ways in which a page is looked at. */
export const views: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: "light", viewport: WIDE },
  dark: { colorScheme: "dark", viewport: WIDE },
  "a phone's width": { colorScheme: "light", viewport: { width: 360, height: 740 } },
};

export type Site = Awaited<ReturnType<typeof serveSite>>;

/** Builds the site for the root of a host or for a folder of it, and serves it. */
export async function openSite(at: string, ...flags: readonly string[]): Promise<Site> {
  await exec(process.execPath, ["docs/site/build.ts", ...flags], {
    cwd: root,
    env: { DOCS_BASE: at },
  });
  return serveSite(at);
}

/** Every page of the built site. */
export function pages(): string[] {
  return readdirSync(siteFolder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".html") && path !== "404.html")
    .sort();
}

/** Registers tests in a browser of their own. Where there is none they are skipped, and the title says why. */
export function describeInBrowser(tests: (browser: () => Browser) => void): void {
  const program = findChromium();
  const why = program === undefined ? ": skipped, because there is no chromium" : "";
  describe.skipIf(program === undefined)(`in a browser${why}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: program!, args: ["--no-sandbox"] });
    }, MINUTE);
    afterAll(() => browser.close());
    tests(() => browser);
  });
}

/** Opens a page of a site in a context of its own. What no page may do is in `faults`. */
export async function openPage(
  browser: Browser,
  site: Site,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(site.origin))
      faults.push(`a request to ${request.url()}`);
  });
  return { page, faults };
}

/** Opens a page with a function, and looks at it with axe. */
export async function expectNoFault(
  site: Site,
  path: string,
  open: () => ReturnType<typeof openPage>,
): Promise<void> {
  const { page, faults } = await open();
  await page.goto(site.origin + path, { waitUntil: "networkidle" });
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html }) => `${id}: ${html}`),
  );
  expect(found).toEqual([]);
  expect(faults).toEqual([]);
  await page.context().close();
}

/** Returns the tables of a page that hide a part of a row: whose content is wider than they are. */
export async function cutTables(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll(".vp-doc table")]
    .map((table) => [table.closest(".fm-table") ?? table, table])
    .filter(([box, table]) => box.scrollWidth > box.clientWidth || table.scrollWidth > box.clientWidth)
    .map(([, table]) => table.textContent.replace(/\\s+/g, " ").trim().slice(0, 60))`);
}

/** One page of each kind, to be looked at closely. */
export const KINDS: readonly string[] = [
  "/",
  "/guides/getting-started.html",
  "/guides/receiving-webhooks.html",
  "/guides/glossary.html",
  "/project/comparison.html",
  "/project/evaluate.html",
  "/errors/ApiError.html",
  "/reference/console.html",
  "/reference/console/devices.html",
  "/reference/console/client.html",
  "/reference/console/methods.html",
  "/reference/console/records.html",
  "/events.html",
  "/events/sim.activated.html",
  "/api/@fieldmesh/webhook-types/router/index.html",
  "/api/@fieldmesh/webhook-types/router/functions/createEventRouter.html",
  "/decisions/01-endpoints-are-rows.html",
  "/changelog.html",
  "/packages.html",
];

/** A few of them, for a look that takes seconds instead of minutes. The test of the types of a sample looks at a guide. */
export const FEW_KINDS: readonly string[] = ["/", "/events/sim.activated.html"];
