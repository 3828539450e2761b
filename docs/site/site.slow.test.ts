import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { AxeBuilder } from "@axe-core/playwright";
import { LinkChecker, LinkState } from "linkinator";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventTypes } from "@fieldmesh/webhook-types";
import { exec } from "../../tools/exec.ts";
import { names, root } from "../../tools/packages.ts";
import { findChromium } from "./chromium.ts";
import { serveSite, siteFolder } from "./serve-site.ts";

const MINUTES = 60_000;
const BUDGET = 200_000;
const program = findChromium();

const WIDE = { width: 1280, height: 900 };
const views: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: "light", viewport: WIDE },
  dark: { colorScheme: "dark", viewport: WIDE },
  "a phone's width": { colorScheme: "light", viewport: { width: 360, height: 740 } },
};
/** One of each kind, to be looked at closely. */
const KINDS = [
  "/",
  "/guides/getting-started.html",
  "/guides/receiving-webhooks.html",
  "/reference/console.html",
  "/reference/console/devices.html",
  "/reference/console/records.html",
  "/events.html",
  "/events/sim.activated.html",
  "/api/@fieldmesh/webhook-types/router/index.html",
  "/api/@fieldmesh/webhook-types/router/functions/createEventRouter.html",
  "/decisions/01-endpoints-are-rows.html",
  "/changelog.html",
];

/** Adds up how much what is in sight has moved. */
const LAYOUT_SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 500);
})`;

// A link that works at the root of a host may lead nowhere below the name of a repository.
const base = new URL(names.site).pathname;
let site: Awaited<ReturnType<typeof serveSite>>;

beforeAll(async () => {
  await exec(process.execPath, ["docs/site/build.ts"], {
    cwd: root,
    env: { DOCS_BASE: base },
  });
  site = await serveSite(base);
}, 5 * MINUTES);
afterAll(() => site.close());

test("no link leads nowhere, and no anchor", async () => {
  const { origin } = site;
  const { links } = await new LinkChecker().check({
    path: origin,
    recurse: true,
    checkFragments: true,
    linksToSkip: async (link) => !link.startsWith(origin),
  });
  expect(links.filter(({ state }) => state === LinkState.OK).length).toBeGreaterThan(100);
  const broken = links.filter(({ state }) => state === LinkState.BROKEN);
  expect(broken.map(({ parent, url }) => `${parent} -> ${url}`)).toEqual([]);
});

test("every page was rendered", () => {
  const empty = pages().filter((path) => {
    const html = readFileSync(join(siteFolder, path), "utf8");
    return !html.includes("<h1");
  });
  expect(empty).toEqual([]);
});

test("every page has a description, and none has another's", () => {
  const described = pages().map((path) => {
    const html = readFileSync(join(siteFolder, path), "utf8");
    return [path, /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? ""] as const;
  });
  expect(described.filter(([, text]) => text.length < 30)).toEqual([]);
  const texts = described.map(([, text]) => text);
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
});

test("the search index is small", () => {
  const chunks = join(siteFolder, "assets", "chunks");
  const index = readdirSync(chunks).find((name) => name.startsWith("@localSearchIndex")) ?? "";
  const bytes = gzipSync(readFileSync(join(chunks, index))).length;
  console.log(`search index: ${Math.round(bytes / 1_000)} KB, compressed`);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(BUDGET);
});

test("what machines read is there", () => {
  for (const name of [
    "llms.txt",
    "llms-full.txt",
    "openapi/console.json",
    "asyncapi/webhooks.json",
  ])
    expect(readFileSync(join(siteFolder, name), "utf8").length).toBeGreaterThan(1_000);
});

const why = program === undefined ? ": skipped, because there is no chromium" : "";

describe.skipIf(program === undefined)(`in a browser${why}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program!, args: ["--no-sandbox"] });
  }, MINUTES);
  afterAll(() => browser.close());

  /** Opens pages of the site; what no page may do is in `faults`. */
  async function open(
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

  describe.each(Object.entries(views))("%s", (_, options) => {
    test.for(KINDS)(
      "%s has nothing that axe finds, no error and no request elsewhere",
      async (path) => {
        const { page, faults } = await open(options);
        await page.goto(site.origin + path, { waitUntil: "networkidle" });
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(
          violations.flatMap(({ id, nodes }) =>
            nodes.slice(0, 3).map(({ html }) => `${id}: ${html}`),
          ),
        ).toEqual([]);
        expect(faults).toEqual([]);
        await page.context().close();
      },
    );
  });

  test.for(["light", "a phone's width"])("%s: no page is wider than the window", async (view) => {
    const { page } = await open(views[view]);
    const wide: string[] = [];
    for (const path of someOfEach(pages())) {
      await page.goto(`${site.origin}/${path}`);
      const [needed, given] = await page.evaluate<number[]>(
        "[document.documentElement.scrollWidth, innerWidth]",
      );
      if (needed! > given!) wide.push(`${path}: ${needed} of ${given}`);
    }
    expect(wide).toEqual([]);
    await page.context().close();
  });

  test.for([
    ["devices.createBatch", "/reference/console/devices.html#devices-createbatch"],
    ["sim.activated", "/events/sim.activated.html"],
    ["receiving webhooks", "/guides/receiving-webhooks.html"],
    ["checkpoint", "/guides/paging.html"],
  ])("the search finds %s", async ([words = "", target = ""]) => {
    const { page, faults } = await open();
    await page.goto(site.origin, { waitUntil: "networkidle" });
    await page.keyboard.press("Control+k");
    await page.locator(".search-input").fill(words);
    const results = page.locator(".results .result");
    // The index of the whole site is parsed on the first search, which a busy machine takes long for.
    await results.first().waitFor({ timeout: MINUTES });
    const found = await results.evaluateAll((links) =>
      links.map((link) => link.getAttribute("href")),
    );
    expect(found.slice(0, 5)).toContainEqual(expect.stringContaining(target));
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("the catalog is filtered as one types, and by family", async () => {
    const { page, faults } = await open();
    await page.goto(`${site.origin}/events.html`, { waitUntil: "networkidle" });
    const shown = page.locator("section.fm-event:visible");
    const count = page.locator(".fm-filter output");
    expect(await count.textContent()).toBe(`${eventTypes.length} of ${eventTypes.length} events`);
    await page.getByLabel("Filter").pressSequentially("invoice");
    const ofInvoices = await shown.count();
    expect(ofInvoices).toBeGreaterThan(5);
    expect(ofInvoices).toBeLessThan(60);
    expect(await count.textContent()).toBe(`${ofInvoices} of ${eventTypes.length} events`);
    await page.getByLabel("Filter").fill("");
    await page.getByLabel("Family").selectOption("sim");
    const types = await shown.evaluateAll((events) =>
      events.map((event) => event.getAttribute("data-type")),
    );
    expect(types).toContain("sim.activated");
    expect(types.every((type) => type?.startsWith("sim."))).toBe(true);
    await page.getByLabel("Filter").fill("no such event");
    expect(await shown.count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("a link to an event shows it, also when the filter hides it", async () => {
    const { page } = await open();
    await page.goto(`${site.origin}/events.html?filter=invoice#sim-activated`, {
      waitUntil: "networkidle",
    });
    expect(await page.locator("#sim-activated").isVisible()).toBe(true);
    await page.goto(`${site.origin}/events.html?family=sim`, { waitUntil: "networkidle" });
    expect(await page.locator("#invoice-paid").isVisible()).toBe(false);
    await page.getByLabel("Filter").fill("boost");
    expect(new URL(page.url()).search).toBe("?filter=boost&family=sim");
    await page.context().close();
  });

  test("an event's handler can be copied", async () => {
    const { page } = await open({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(`${site.origin}/events/sim.activated.html`, { waitUntil: "networkidle" });
    await page.locator(".language-ts").hover();
    await page.locator(".language-ts button.copy").click();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toContain('"sim.activated": (event) => {');
    await page.context().close();
  });

  test.for(["/", "/guides/getting-started.html", "/reference/console/devices.html"])(
    "%s comes in less than 200 KB, and nothing in it moves",
    async (path) => {
      const { page } = await open();
      const session = await page.context().newCDPSession(page);
      await session.send("Network.enable");
      let bytes = 0;
      session.on(
        "Network.loadingFinished",
        ({ encodedDataLength }) => (bytes += encodedDataLength),
      );
      await page.goto(site.origin + path, { waitUntil: "networkidle" });
      const shift = await page.evaluate<number>(LAYOUT_SHIFT);
      console.log(`${path}: ${Math.round(bytes / 1_000)} KB over the wire, layout shift ${shift}`);
      expect(bytes).toBeGreaterThan(10_000);
      expect(bytes).toBeLessThan(BUDGET);
      expect(shift).toBe(0);
      await page.context().close();
    },
  );
});

/** Hundreds of pages for symbols and events come from one template each. */
function someOfEach(paths: readonly string[]): string[] {
  const written = paths.filter((path) => !/^(api|events)\//.test(path));
  const generated = paths.filter((path) => /^(api|events)\//.test(path));
  return [...written, ...generated.filter((_, index) => index % 20 === 0)];
}

/** Every page of the built site. */
function pages(): string[] {
  return readdirSync(siteFolder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".html") && path !== "404.html")
    .sort();
}
