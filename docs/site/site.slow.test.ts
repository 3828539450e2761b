import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { eventTypes } from "@fieldmesh/webhook-types";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documents } from "../../tools/documents.ts";
import { names, packages } from "../../tools/packages.ts";
import { packedDocs } from "../packed/packed-docs.ts";
import { findBrokenLinks } from "./broken-links.ts";
import {
  cutTables,
  describeInBrowser,
  expectNoFault,
  FEW_KINDS,
  openPage,
  openSite,
  pages,
  type Site,
} from "./open-site.ts";
import { testRuns } from "./run/in-browser.ts";
import { testSearch } from "./search/in-index.ts";
import { siteFolder } from "./serve-site.ts";

const MINUTES = 60_000;
/** The pages that had the widest tables, and one of each other kind. */
const WITH_TABLES = [
  "/guides/databases.html",
  "/project/comparison.html",
  "/errors/CheckpointError.html",
  "/events/sim.activated.html",
  "/reference/console.html",
  "/reference/console/devices.html",
  "/reference/console/methods.html",
  "/reference/console/records.html",
  "/api/@fieldmesh/console-client/index.html",
  "/api/@fieldmesh/console-client/interfaces/BulkLease.html",
  "/api/@fieldmesh/console-client/interfaces/ClientOptions.html",
  "/api/@fieldmesh/webhook-types/receiver/interfaces/ReceiverOptions.html",
];
const BUDGET = 200_000;
const MOST_ELEMENTS = 3_000;

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
// Every kind of page, in each view, is looked at by site.release.test.ts.
let site: Site;

beforeAll(async () => {
  site = await openSite(base);
}, 10 * MINUTES);
afterAll(() => site.close());

test("no link leads nowhere, and no anchor", () => {
  expect(pages().length).toBeGreaterThan(1_000);
  expect(findBrokenLinks(siteFolder, base)).toEqual([]);
});

test("the OpenAPI and AsyncAPI documents link to pages and anchors that exist", () => {
  const files = ["openapi", "asyncapi"].flatMap((folder) =>
    readdirSync(join(siteFolder, folder)).map((name) => join(siteFolder, folder, name)),
  );
  expect(files.length).toBeGreaterThan(4);
  const links = files.flatMap((file) => {
    const urls = readFileSync(file, "utf8").match(/https:[^\s"'<>)\\]+/g) ?? [];
    return urls.filter((url) => url.startsWith(names.site)).map((url) => new URL(url));
  });
  const broken = links.filter(({ pathname, hash }) => {
    const path = pathname.slice(base.length).replace(/(^|\/)$/, "$1index.html");
    const file = join(siteFolder, path);
    if (!existsSync(file)) return true;
    return hash !== "" && !readFileSync(file, "utf8").includes(`id="${hash.slice(1)}"`);
  });
  expect(broken.map(String)).toEqual([]);
});

test("every page names its address, and is in the sitemap", () => {
  const sitemap = readFileSync(join(siteFolder, "sitemap.xml"), "utf8");
  const wrong = pages().filter((path) => {
    const html = readFileSync(join(siteFolder, path), "utf8");
    const address = new URL(path.replace(/(^|\/)index\.html$/, "$1"), names.site).href;
    return (
      !html.includes(`<link rel="canonical" href="${address}">`) ||
      !sitemap.includes(`<loc>${address}</loc>`)
    );
  });
  expect(wrong).toEqual([]);
});

test(`no page has over ${MOST_ELEMENTS} elements`, () => {
  const large = pages().flatMap((path) => {
    const html = readFileSync(join(siteFolder, path), "utf8");
    const elements = html.match(/<[a-z]/g)?.length ?? 0;
    return elements > MOST_ELEMENTS ? [`${path}: ${elements}`] : [];
  });
  expect(large).toEqual([]);
});

test("the header of every page leads to the page for evaluators", () => {
  const link = `href="${base}project/evaluate.html"`;
  const without = pages().filter((path) => {
    const [header = ""] =
      /<header [^]*?<\/header>/.exec(readFileSync(join(siteFolder, path), "utf8")) ?? [];
    return !header.includes(link);
  });
  expect(without).toEqual([]);
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

/** The file of the index, which the browser loads with the first search. */
function searchIndexFile(): string {
  const chunks = join(siteFolder, "assets", "chunks");
  const name = readdirSync(chunks).find((each) => each.startsWith("@localSearchIndex")) ?? "";
  return join(chunks, name);
}

describe("the search", () => {
  testSearch({ indexFile: searchIndexFile, base });
});

test("what machines read is there", () => {
  for (const name of ["llms.txt", "llms-full.txt"])
    expect(readFileSync(join(siteFolder, name), "utf8").length).toBeGreaterThan(1_000);
  // A package and an assistant read it away from the site.
  const index = readFileSync(join(siteFolder, "llms.txt"), "utf8");
  const links = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, address = ""]) => address);
  expect(links.filter((address) => !address.startsWith(names.site))).toEqual([]);
  const gone = packages.flatMap((one) =>
    [...packedDocs(one).values()]
      .flatMap((text) => [...text.matchAll(/\]\((https:[^)#]+)/g)])
      .map(([, address = ""]) => address)
      .filter((address) => address.startsWith(names.site))
      .map((address) => address.slice(names.site.length).replace(/\/$/, "/index.html"))
      .filter((path) => !existsSync(join(siteFolder, path))),
  );
  expect([...new Set(gone)]).toEqual([]);
  const published = readdirSync(documents, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(documents, path)).isFile(),
  );
  const wrong = published.filter((path) =>
    readFileSync(join(siteFolder, path)).compare(readFileSync(join(documents, path))),
  );
  expect(published).toContain("asyncapi/webhooks.json");
  expect(wrong).toEqual([]);
});

describeInBrowser((browser) => {
  const open = (options?: BrowserContextOptions) => openPage(browser(), site, options);

  test.for(FEW_KINDS)("%s has nothing that axe finds, no error and no request elsewhere", (path) =>
    expectNoFault(site, path, open),
  );

  describe("the Run buttons", () => {
    testRuns({ origin: () => site.origin, open });
  });

  test.for([360, 1440])("at %i pixels, no table hides a part of a row", async (width) => {
    const { page } = await open({ viewport: { width, height: 900 }, javaScriptEnabled: false });
    const cut: string[] = [];
    for (const path of WITH_TABLES) {
      await page.goto(site.origin + path);
      cut.push(...(await cutTables(page)).map((text) => `${path}: ${text}`));
    }
    expect(cut).toEqual([]);
    await page.context().close();
  });

  test("a phone shows each cell below the name of its column", async () => {
    const { page } = await open({ viewport: { width: 360, height: 740 } });
    await page.goto(`${site.origin}/events/sim.activated.html`, { waitUntil: "networkidle" });
    const label = `getComputedStyle(document.querySelector("tbody td:nth-child(2)"), "::before").content`;
    expect(await page.evaluate<string>(label)).toContain("type");
    await page.context().close();
  });

  test("paper has every tab with its name, and no navigation", async () => {
    const { page } = await open();
    await page.goto(`${site.origin}/reference/console/labels.html`, { waitUntil: "networkidle" });
    await page.emulateMedia({ media: "print" });
    const tabs = page.locator(".vp-code-group").first().locator("[data-tab]");
    expect(await tabs.count()).toBe(3);
    for (const tab of await tabs.all()) expect(await tab.isVisible()).toBe(true);
    for (const gone of [".VPNav", ".VPSidebar", ".aside", ".VPDocFooter", "button.copy", ".tabs"])
      expect(await page.locator(gone).first().isVisible()).toBe(false);
    await page.goto(`${site.origin}/`, { waitUntil: "networkidle" });
    for (const panel of await page.locator(".fm-panel").all())
      expect(await panel.isVisible()).toBe(true);
    await page.context().close();
  });

  test("a tab is remembered on later pages", async () => {
    const { page, faults } = await open();
    await page.goto(`${site.origin}/`, { waitUntil: "networkidle" });
    await page.locator(".vp-code-group label", { hasText: "pnpm" }).click();
    await page.goto(`${site.origin}/guides/getting-started.html`, { waitUntil: "networkidle" });
    const shown = page.locator(".vp-code-group").first().locator(".blocks > .active");
    await expect.poll(() => shown.textContent()).toContain("pnpm init");
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("the samples of the landing page are tabs, also with the keyboard", async () => {
    const { page, faults } = await open();
    await page.goto(`${site.origin}/`, { waitUntil: "networkidle" });
    await page.getByRole("tab", { name: "Call" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Webhook");
    expect(await page.getByRole("tabpanel").textContent()).toContain("200 handled");
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("a link to the glossary shows what its term means, on hover and focus, until Escape", async () => {
    const { page, faults } = await open();
    await page.goto(`${site.origin}/guides/errors-and-retries.html`, { waitUntil: "networkidle" });
    const link = page.locator('.vp-doc a[href*="glossary.html#outcome"]').first();
    const tip = page.getByRole("tooltip");
    await link.hover();
    await tip.waitFor();
    expect(await tip.textContent()).toContain(
      "A value that says whether a failed call may have taken effect",
    );
    expect(await link.getAttribute("aria-describedby")).toBe("fm-term");
    await page.keyboard.press("Escape");
    expect(await tip.count()).toBe(0);
    await link.focus();
    await tip.waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("the types of a sample are a list for the keyboard, until Escape, and a tip for the pointer", async () => {
    const { page, faults } = await open();
    await page.goto(`${site.origin}/guides/paging.html`, { waitUntil: "networkidle" });
    const button = page.getByRole("button", { name: "Show types" }).first();
    await button.focus();
    await page.keyboard.press("Enter");
    const list = page.getByRole("group", { name: "Types in this sample" });
    await list.waitFor();
    const [name] = await page.locator("[data-type]").all();
    const type = (await name?.getAttribute("data-type")) ?? "";
    expect(await list.textContent()).toContain(type);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await list.count()).toBe(0);
    expect(await button.evaluate("document.activeElement.textContent")).toBe("Show types");

    await name?.hover();
    const tip = page.locator(".fm-tip");
    expect(await tip.textContent()).toBe(type);
    await page.keyboard.press("Escape");
    expect(await tip.isVisible()).toBe(false);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("an address that leads nowhere shows a page that leads on", async () => {
    const { page } = await open();
    await page.goto(`${site.origin}/nowhere.html`, { waitUntil: "networkidle" });
    await page.getByRole("link", { name: "start page" }).click();
    await page.waitForURL(`${site.origin}/`);
    await page.context().close();
  });

  test.for([
    ["devices.createBatch", "/reference/console/devices.html#devices-createbatch"],
    ["received webhook", "/guides/receiving-webhooks.html"],
  ])("the search box finds %s", async ([words = "", target = ""]) => {
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
    expect(found.slice(0, 2)).toContainEqual(expect.stringContaining(target));
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
    await page.waitForURL(({ search }) => search === "?filter=boost&family=sim");
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
