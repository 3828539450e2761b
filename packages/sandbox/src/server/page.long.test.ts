import { execFile, execFileSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { AxeBuilder } from "@axe-core/playwright";
import { createConsoleClient } from "@fieldmesh/console-client";
import { type Clock, systemClock } from "@fieldmesh/core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environmentOf } from "../commands/start/environment.ts";
import { serveLocal } from "../commands/testing/fake-sandbox.ts";
import { newDevice } from "../engine/testing/console.ts";
import { createSteerableClock } from "../engine/time/clocks.ts";
import { type RunningSandbox, startSandbox } from "./start-sandbox.ts";

// The page in a browser: what a user sees and does.

const folders = (process.env["PATH"] ?? "").split(":");
const [program] = globSync(folders.map((folder) => join(folder, "chromium{,-browser}")));
const why = program === undefined ? ": skipped, because there is no chromium" : "";

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };
/** The dark page differs from the light one in its colors only. */
interface Look {
  readonly name: string;
  readonly options: BrowserContextOptions;
  readonly rules?: string[];
  /** Those that differ most. The release tier looks at all views. */
  readonly views?: readonly string[];
}
const VIEWS = [
  "Requests",
  "Events",
  "Deliveries",
  "Send event",
  "Endpoints",
  "Faults",
  "State",
  "Map",
  "Connect",
] as const;
const FEW_VIEWS =
  process.env["LONG_TESTS"] === "yes" ? VIEWS : ["Requests", "Send event", "State", "Map"];
const looks: readonly Look[] = [
  { name: "light", options: { colorScheme: "light", viewport: WIDE } },
  {
    name: "dark",
    options: { colorScheme: "dark", viewport: WIDE },
    rules: ["color-contrast"],
    views: FEW_VIEWS,
  },
  {
    name: "the width of a phone",
    options: { colorScheme: "light", viewport: PHONE },
    views: FEW_VIEWS,
  },
];

describe.skipIf(program === undefined)(`the page of the sandbox${why}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program!, args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());

  /** Opens the page. `faults` records its requests to other servers, and its errors. */
  async function open(
    sandbox: RunningSandbox<Clock>,
    options: BrowserContextOptions = {},
    address = sandbox.page,
  ) {
    const context = await browser.newContext({ viewport: WIDE, ...options });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(sandbox.origin) && !request.url().startsWith("data:"))
        faults.push(`a request to ${request.url()}`);
    });
    await page.goto(address);
    await page.getByText("Live", { exact: true }).waitFor();
    return { page, faults, [Symbol.asyncDispose]: () => context.close() };
  }

  /** Takes a screenshot for a person, if FIELDMESH_SCREENSHOTS names a folder. */
  const photograph = async (page: Page, name: string): Promise<void> => {
    const folder = process.env["FIELDMESH_SCREENSHOTS"];
    if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  /** How far the layout has moved since the page began to load. */
  const shiftOf = (page: Page): Promise<number> =>
    page.evaluate(`new Promise((resolve) => {
      const shifts = [];
      new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve(shifts.reduce((sum, { value }) => sum + value, 0)), 300);
    })`);
  const start = () => startSandbox({ clock: systemClock });
  const row = (page: Page, name: RegExp) => page.getByRole("option", { name });
  const show = (page: Page, view: string) =>
    page.getByRole("navigation").getByRole("link", { name: view }).click();

  test("shows a request when it arrives, hides its secrets until they are revealed, and sends it again", async () => {
    await using sandbox = await start();
    await using opened = await open(sandbox);
    const { page, faults } = opened;
    await page.getByText("No request yet").waitFor();
    expect(page.url()).not.toContain("token");

    const client = createConsoleClient({
      baseUrl: sandbox.console.baseUrl,
      apiKey: sandbox.apiKey,
    });
    await client.devices.create(newDevice());
    await row(page, /POST console devices\.create 201/).click();
    const details = page.getByRole("region", { name: "Details" });
    await details.getByText("console.devices.create").waitFor();
    const { app_key } = newDevice();
    expect(await page.content()).not.toContain(app_key);
    await details.getByRole("button", { name: "Show app_key" }).first().click();
    await details.getByText(app_key).waitFor();
    expect(await page.content()).not.toContain(sandbox.apiKey);

    await details.getByRole("button", { name: "Send again" }).click();
    await row(page, /POST console devices\.create 4/).waitFor();
    expect(sandbox.log.requests().map(({ row: name }) => name)).toEqual([
      "devices.create",
      "devices.create",
    ]);
    expect(faults).toEqual([]);
  });

  test("the start view shows the addresses, and what it copies works when it is pasted", async () => {
    await using sandbox = await start();
    await using opened = await open(sandbox, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page, faults } = opened;
    for (const { baseUrl } of [sandbox.console, sandbox.ledger, sandbox.mapper, sandbox.mobile])
      await page.getByText(baseUrl, { exact: true }).waitFor();
    const keys = [sandbox.apiKey, sandbox.mobile.apiKey];
    for (const key of keys) expect(await page.content()).not.toContain(key);
    await photograph(page, "start");
    expect(await shiftOf(page)).toBe(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.getByRole("button", { name: "Show the key of console" }).click();
    await page.getByText(sandbox.apiKey, { exact: true }).waitFor();

    const copied = async (name: string): Promise<string> => {
      await page.getByRole("button", { name }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const text = await page.evaluate<string>("navigator.clipboard.readText()");
      await page.getByRole("button", { name: "Copied" }).waitFor({ state: "detached" });
      return text;
    };
    const folder = mkdtempSync(join(tmpdir(), "fieldmesh-start-"));
    const file = join(folder, ".env");
    writeFileSync(file, await copied("Copy as .env"));
    // The page knows no account of the ledger.
    const { LEDGER_ACCOUNT: _, ...own } = environmentOf(sandbox);
    const names = JSON.stringify(Object.keys(own));
    const script = `console.log(JSON.stringify(Object.fromEntries(${names}.map((name) => [name, process.env[name]]))))`;
    const read = execFileSync(process.execPath, [`--env-file=${file}`, "-e", script]);
    expect(JSON.parse(String(read))).toEqual(own);
    rmSync(folder, { recursive: true });
    const body = await promisify(execFile)("sh", ["-c", `${await copied("Copy with the key")} -s`]);
    expect(JSON.parse(body.stdout)).toHaveLength(4);
    await row(page, /GET console labels\.list 200/).waitFor();
    expect(faults).toEqual([]);
  });

  test("shows which switches of the services differ from their defaults", async () => {
    await using sandbox = await startSandbox({
      clock: systemClock,
      console: { deployment: "hosted", singleCreate: "enabled" },
      ledger: { blockInterval: Infinity },
    });
    await using opened = await open(sandbox);
    const { page, faults } = opened;
    await show(page, "State");
    await page.getByText("8 switches differ from their defaults").click();
    const terms = await page.locator(".options dt").allTextContents();
    expect(terms).toContain('console.lookup is "device" instead of "descriptor"');
    expect(terms).toContain("ledger.blockInterval is Infinity instead of 60000");
    expect(terms.join()).not.toContain("singleCreate is");
    await page.getByText("Milliseconds of the sandbox's clock between two blocks.").waitFor();
    expect(faults).toEqual([]);
  });

  test("shows a failing delivery, and sends it again after its receiver is fixed", async () => {
    let status = 500;
    await using receiver = await serveLocal((_request, response) => {
      response.writeHead(status).end('column "iccid" does not exist');
    });
    await using sandbox = await start();
    sandbox.webhooks.register({ url: receiver.url });
    await using opened = await open(sandbox);
    const { page, faults } = opened;
    await show(page, "Deliveries");
    await sandbox.webhooks.trigger("sim.activated");
    await row(page, /retrying .* sim\.activated 500 .* 1 in/).click();
    await page.getByText("The signature matches the secret of this endpoint.").waitFor();
    await page.getByText("platform-signature").waitFor();
    await page.getByRole("button", { name: "Show the body as it was sent" }).click();
    await page.getByText('"type":"sim.activated"').waitFor();
    await page.getByText('column "iccid" does not exist').waitFor();
    await page.getByText(/next attempt in \d+ s/).waitFor();
    await photograph(page, "delivery");
    status = 200;
    await page.getByRole("button", { name: "Deliver again" }).click();
    await row(page, /delivered .* sim\.activated 200/).waitFor();
    await page.getByRole("heading", { name: "2 attempts" }).waitFor();
    await page.getByRole("link", { name: "All deliveries of this event" }).click();
    await page.getByText(/1 of 1: evt_\w+ in event_id/).waitFor();
    expect(sandbox.webhooks.deliveries()).toMatchObject([{ status: "delivered" }]);
    expect(faults).toEqual([]);
  });

  test("registers a webhook endpoint, and composes an event from its schema", async () => {
    const bodies: string[] = [];
    await using receiver = await serveLocal((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        bodies.push(body);
        response.end();
      });
    });
    await using sandbox = await start();
    await using opened = await open(sandbox);
    const { page, faults } = opened;
    await show(page, "Endpoints");
    await page.getByLabel("Address").fill(receiver.url);
    await page.getByRole("button", { name: "Register" }).click();
    await expect.poll(() => sandbox.webhooks.endpoints).toHaveLength(1);
    const [secret] = sandbox.webhooks.endpoints[0]?.secrets ?? [];
    expect(await page.content()).not.toContain(secret?.reveal());
    await page.getByRole("button", { name: `Show the secrets of ${receiver.url}` }).click();
    await page.getByText(secret!.reveal()).waitFor();

    await show(page, "Send event");
    await page.getByLabel("Search event types").fill("plan created");
    await page.getByText(/^\d of 139 types$/).waitFor();
    await page.getByText(/^Will be sent to http:/).waitFor();
    const json = page.getByLabel("Data as JSON");
    // The sample of the first type gives way to the chosen one.
    await expect.poll(() => json.inputValue()).not.toContain("sim_");
    const sample = await json.inputValue();
    await json.fill("{");
    // One message, and no button that would repeat it.
    expect(await page.getByRole("alert").allTextContents()).toEqual(["This is not a JSON object."]);
    expect(await page.getByRole("button", { name: "Send plan.created" }).isDisabled()).toBe(true);
    await json.fill(sample);
    await photograph(page, "compose");
    await page.getByText("Fires when").waitFor();
    await page.getByLabel("id", { exact: true }).fill("plan_7");
    await page.getByLabel("id", { exact: true }).blur();
    await page.getByRole("button", { name: "Send plan.created" }).click();
    await page.getByText("Sent plan.created.").waitFor();
    expect(JSON.parse(bodies[0] ?? "{}")).toMatchObject({
      type: "plan.created",
      data: { object: { id: "plan_7" } },
    });
    expect(faults).toEqual([]);
  });

  test("searches the state, and pauses and advances the clock", async () => {
    const clock = createSteerableClock();
    await using sandbox = await startSandbox({ clock });
    await using opened = await open(sandbox);
    const { page, faults } = opened;
    await show(page, "State");
    await page.getByLabel("Search devices").fill("Mill Weir");
    await expect.poll(() => page.locator("tbody tr").count()).toBeLessThan(10);
    await page.getByRole("button", { name: /^labels/ }).click();
    await page.getByRole("columnheader", { name: "devices" }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Run" }).waitFor();
    const before = clock.now();
    await page.getByRole("button", { name: "Advance the clock by 1 h" }).click();
    await expect.poll(() => clock.now() - before).toBe(3_600_000);
    expect(faults).toEqual([]);
  });

  test("the keyboard moves through the list, filters it and closes the details", async () => {
    await using sandbox = await start();
    const client = createConsoleClient({
      baseUrl: sandbox.console.baseUrl,
      apiKey: sandbox.apiKey,
    });
    for (let sent = 0; sent < 5; sent++) await client.labels.list();
    await fetch(`${sandbox.ledger.baseUrl}/v1/blocks/height`);
    await using opened = await open(sandbox);
    const { page } = opened;
    await row(page, /blocks/).waitFor();
    // Also before an element has the focus.
    await page.keyboard.press("j");
    await page.getByRole("region", { name: "Details" }).getByText("blocks.height").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("labels");
    await page.getByText(/^5 of 6: labels/).waitFor();
    await page.keyboard.press("Enter");
    for (const key of ["j", "j", "ArrowDown", "k"]) await page.keyboard.press(key);
    const chosen = page.locator(".line[aria-selected=true]");
    expect(await chosen.getAttribute("aria-posinset")).toBe("2");
    await page.getByRole("region", { name: "Details" }).getByText("console.labels.list").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "Details" }).waitFor({ state: "detached" });
  });

  test("names faults and what they did, and clears the log", async () => {
    await using sandbox = await start();
    const client = createConsoleClient({ ...sandbox.console, retry: false });
    await client.labels.list();
    await using opened = await open(sandbox);
    const { page, faults } = opened;
    await show(page, "Faults");
    await page.getByRole("switch", { name: /^lost/ }).click();
    await page
      .getByText(
        "lost: do the work and drop the response, for every request, until it is switched off",
      )
      .waitFor();
    await photograph(page, "faults");
    await client.labels.list().catch(() => undefined);
    await show(page, "Requests");
    await row(page, /labels\.list lost broken/).waitFor();
    // The link of the menu has the focus.
    await page.keyboard.press("j");
    const details = page.getByRole("region", { name: "Details" });
    await details.getByText("fault lost: did the work and dropped the response").waitFor();
    await photograph(page, "struck");
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Clear log" }).click();
    await page.getByText("No request yet").waitFor();
    expect(sandbox.log.count).toBe(0);
    expect(faults).toEqual([]);
  });

  test("a filter finds fields before bodies in every list, and is in the address", async () => {
    await using receiver = await serveLocal((_request, response) => response.writeHead(500).end());
    await using sandbox = await start();
    sandbox.webhooks.register({ url: receiver.url });
    const client = createConsoleClient({ ...sandbox.console, retry: false });
    await client.labels.create({ name: "Pumps 401" });
    await client.labels.list();
    await fetch(`${sandbox.console.baseUrl}/api/v1/labels`, { headers: { key: "wrong" } });
    await sandbox.webhooks.trigger("sim.activated", { data: { object: { id: "sim_pumps" } } });
    await sandbox.webhooks.trigger("plan.created");
    const cases = [
      ["requests", "401", "1 of 3: 401 in status"],
      ["requests", "labels.create", "1 of 3: labels.create in row"],
      ["requests", "key:unknown 4xx", "1 of 3: key:unknown in key; 4xx in status"],
      ["requests", "pumps", "2 of 3: pumps in the body"],
      ["requests", "deflate", "1 of 3: deflate in the headers"],
      ["deliveries", "failed plan.created", "1 of 2: failed in outcome; plan.created in type"],
      ["deliveries", "sim_pumps", "1 of 2: sim_pumps in the body"],
      ["events", "sim.activated", "1 of 2: sim.activated in type"],
      ["events", "sim_pumps", "1 of 2: sim_pumps in object"],
      ["state/labels", "Pumps", "1 of 5: pumps in name"],
    ] as const;
    await using opened = await open(sandbox);
    const { page, faults } = opened;
    for (const [view, words, said] of cases) {
      const filter = encodeURIComponent(words);
      await page.goto(`${sandbox.origin}/#/${view}?filter=${filter}`);
      await page.getByText(said, { exact: true }).waitFor();
      await page.reload();
      await page.getByText(said, { exact: true }).waitFor();
    }
    const held = Promise.withResolvers<void>();
    await page.route(/sandbox.search/, (route) => held.promise.then(() => route.continue()));
    await page.goto(`${sandbox.origin}/#/requests?filter=pumps`);
    await page.getByText("0 of 3: pumps: searching bodies …", { exact: true }).waitFor();
    await page.getByText("Searching bodies …", { exact: true }).waitFor();
    held.resolve();
    await page.getByText("2 of 3: pumps in the body", { exact: true }).waitFor();
    await page.goto(`${sandbox.origin}/#/state/labels`);
    await page.getByRole("searchbox").fill("Canal");
    await expect.poll(() => page.url()).toMatch(/#\/state\/labels\?filter=Canal$/);
    expect(faults).toEqual([]);
  });

  test("words of bodies are found while requests keep arriving", async () => {
    await using sandbox = await start();
    const client = createConsoleClient({ ...sandbox.console, retry: false });
    await client.labels.create({ name: "Canal Lock" });
    await using opened = await open(sandbox);
    const { page, faults } = opened;
    const height = `${sandbox.ledger.baseUrl}/v1/blocks/height`;
    // More often than the page waits before it searches.
    using _traffic = setInterval(() => void fetch(height).catch(() => {}), 50);
    await page.getByLabel("Filter requests").fill("canal");
    await page.getByText(/^1 of \d+: canal in the body$/).waitFor();
    await client.labels.create({ name: "Canal Bridge" });
    await page.getByText(/^2 of \d+: canal in the body$/).waitFor();
    expect(faults).toEqual([]);
  });

  test("a row of state opens its record, from which links lead to events, deliveries and back", async () => {
    await using receiver = await serveLocal((_request, response) => response.end());
    await using sandbox = await start();
    sandbox.webhooks.register({ url: receiver.url });
    await sandbox.webhooks.trigger("sim.activated", { data: { object: { id: "sim_1" } } });
    await using opened = await open(sandbox);
    const { page, faults } = opened;
    await show(page, "State");
    await page.getByRole("button", { name: /^sims/ }).click();
    await page.getByRole("cell", { name: "active" }).click();
    await expect.poll(() => page.url()).toContain("#/state/sims/sim_1");
    const details = page.getByRole("region", { name: "Details" });
    await details.getByRole("button", { name: "Suspend" }).click();
    await details.getByRole("link", { name: "sim.suspended" }).waitFor();
    await details.getByRole("button", { name: "Restore" }).waitFor();
    await photograph(page, "record");
    await details.getByLabel("Event to trigger").selectOption("sim.throttled");
    await details.getByRole("button", { name: "Trigger sim.throttled" }).click();
    await details.getByRole("link", { name: "sim.throttled" }).click();
    await details.getByRole("link", { name: receiver.url }).click();
    await details.getByText("succeeded").waitFor();
    await details.getByRole("link", { name: /^evt_/ }).click();
    await details.getByRole("link", { name: "sim_1" }).click();
    await details.getByRole("link", { name: "deliveries" }).first().click();
    await page.getByText(/^1 of 3: evt_/).waitFor();
    expect(faults).toEqual([]);
  });

  test("times are UTC or those of this machine, which a choice keeps", async () => {
    await using sandbox = await startSandbox({
      clock: createSteerableClock({ start: "2026-11-28T22:00:00Z", paused: true }),
    });
    await fetch(`${sandbox.ledger.baseUrl}/v1/blocks/height`);
    await using opened = await open(sandbox, { timezoneId: "Asia/Kolkata" });
    const { page } = opened;
    await row(page, /22:00:00\.000 GET/).click();
    await page.getByText("2026-11-28 22:00:00 UTC", { exact: true }).waitFor();
    await page.getByLabel("Times are").selectOption("local");
    await row(page, /03:30:00\.000 GET/).waitFor();
    await page.getByText("Time, local").waitFor();
    await page.getByText("2026-11-29 03:30:00 UTC+5:30", { exact: true }).waitFor();
    await page.reload();
    await row(page, /03:30:00\.000 GET/).waitFor();
  });

  test("selected deliveries are delivered again, and a fault ends with its duration", async () => {
    let status = 500;
    await using receiver = await serveLocal((_request, response) =>
      response.writeHead(status).end(),
    );
    const clock = createSteerableClock({ paused: true });
    await using sandbox = await startSandbox({ clock });
    sandbox.webhooks.register({ url: receiver.url });
    for (const type of ["sim.activated", "plan.created", "invoice.paid"] as const)
      await sandbox.webhooks.trigger(type);
    await using opened = await open(sandbox);
    const { page, faults } = opened;
    await show(page, "Deliveries");
    status = 200;
    await page.getByRole("button", { name: "Select 3 failed" }).click();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    expect(await page.getByRole("option", { checked: true }).count()).toBe(2);
    await page.getByRole("button", { name: "Deliver 2 again" }).click();
    await page.getByRole("button", { name: "Select 1 failed" }).waitFor();
    const done = sandbox.webhooks.deliveries().filter((each) => each.status === "delivered");
    expect(done.map(({ type }) => type)).toEqual(["sim.activated", "plan.created"]);

    await show(page, "Faults");
    await page.getByLabel("How long").selectOption("for one minute");
    await page.getByRole("switch", { name: /^status 503/ }).click();
    await page.getByText("1 min left").waitFor();
    await page.getByRole("button", { name: /^Extend the rule status 503/ }).click();
    await page.getByText("11 min left").waitFor();
    await photograph(page, "fault-with-a-duration");
    const height = async () => (await fetch(`${sandbox.ledger.baseUrl}/v1/blocks/height`)).status;
    expect(await height()).toBe(503);
    await page.getByRole("button", { name: "Advance the clock by 10 min" }).click();
    await page.getByText("1 min left").waitFor();
    expect(await height()).toBe(503);
    await page.getByRole("button", { name: "Advance the clock by 1 min" }).click();
    await page.getByText("1 min left").waitFor({ state: "detached" });
    expect(await height()).toBe(200);
    expect(faults).toEqual([]);
  });

  test("the header fits the width of a phone", async () => {
    await using sandbox = await startSandbox({ clock: createSteerableClock() });
    await using opened = await open(sandbox, { viewport: PHONE });
    const { page } = opened;
    const overflow = await page.evaluate(
      "[document.documentElement, ...document.querySelectorAll('.bar, .bar *, .tabs')].filter((each) => each.scrollWidth > each.clientWidth + 1 && each.className !== 'hidden' && getComputedStyle(each).display !== 'inline').map((each) => each.className || each.tagName)",
    );
    await photograph(page, "phone");
    expect(overflow).toEqual([]);
    expect(await shiftOf(page)).toBe(0);
    await fetch(`${sandbox.ledger.baseUrl}/v1/blocks/height`);
    await row(page, /\d\d:\d\d:\d\d\.\d{3} ledger blocks.height 200/).waitFor();
    await show(page, "Faults");
    await page.getByRole("button", { name: "503 for ten minutes" }).click();
    await page.getByText(/On until /).waitFor();
    // The panel scrolls, and the window does not.
    expect(await page.evaluate("document.documentElement.scrollHeight - innerHeight")).toBe(0);
    await show(page, "Requests");
    await page.getByRole("link", { name: "Faults are on" }).waitFor();
  });

  test("nothing moves while a view loads, with what its address opens", async () => {
    await using sandbox = await start();
    const { id } = await createConsoleClient(sandbox.console).devices.create(newDevice());
    sandbox.webhooks.register({ url: "http://127.0.0.1:1/" });
    const event = await sandbox.webhooks.trigger("sim.activated", {
      data: { object: { id: "sim_1" } },
    });
    const [delivery] = sandbox.webhooks.deliveries();
    const opens = [`state/devices/${id}`, "state/sims/sim_1", `events/${event.id}`, "requests/1"];
    const places = [...opens, `deliveries/${delivery?.id}`, "compose", "faults", "events", "state"];
    for (const viewport of [WIDE, PHONE]) {
      const moved: string[] = [];
      for (const place of [...places, "deliveries?filter=failed"]) {
        await using opened = await open(sandbox, { viewport }, `${sandbox.origin}/#/${place}`);
        await opened.page.getByText("Loading …").waitFor({ state: "detached" });
        const shift = await shiftOf(opened.page);
        if (shift > 0) moved.push(`${place}: ${shift}`);
      }
      expect(moved).toEqual([]);
    }
  });

  test("copies a request as curl without and with its values, and as a program", async () => {
    await using sandbox = await start();
    await using opened = await open(sandbox, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page, faults } = opened;
    const client = createConsoleClient(sandbox.console);
    await client.devices.create(newDevice());
    await row(page, /devices\.create/).click();
    const copied = async (name: string): Promise<string> => {
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const text = await page.evaluate("navigator.clipboard.readText()");
      await page.getByRole("button", { name: "Copied" }).waitFor({ state: "detached" });
      return String(text);
    };
    const run = async (script: string) =>
      execFileSync("bash", ["-c", script], {
        encoding: "utf8",
        stdio: "pipe",
        env: { ...process.env, ...environmentOf(sandbox) },
      });
    const curl = await copied("Copy as curl");
    await photograph(page, "copy");
    expect(curl).toContain("${SENT_APP_KEY:?set SENT_APP_KEY}");
    expect(curl).not.toContain(sandbox.apiKey);
    expect(await copied("Copy as curl with values")).toContain(newDevice().app_key);
    expect(await copied("Copy as TypeScript")).toContain("await client.devices.create({");
    await expect(run(curl)).rejects.toThrow("set SENT_APP_KEY");
    expect(faults).toEqual([]);
  });

  test("goes back after a question with numbers, keeps the webhook endpoints, and undoes it", async () => {
    const clock = createSteerableClock();
    await using sandbox = await startSandbox({ clock });
    const client = createConsoleClient(sandbox.console);
    await client.labels.list();
    await client.devices.create(newDevice());
    sandbox.webhooks.register({ url: "http://127.0.0.1:3000/" });
    await clock.advance(2 * 86_400_000);
    await using opened = await open(sandbox);
    const { page, faults } = opened;
    await row(page, /labels\.list/).click();
    await page.getByRole("button", { name: "Rewind to before this request" }).click();
    const question = page.getByRole("dialog");
    await question
      .getByText("This removes 2 requests, 1 device; sets the clock back 2 days.")
      .waitFor();
    await photograph(page, "rewind");
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "hidden" });
    expect(sandbox.log.count).toBe(2);
    await page.getByRole("button", { name: "Rewind to before this request" }).click();
    await question.getByRole("button", { name: "Rewind" }).click();
    await page.getByText("The sandbox went back.").waitFor();
    await photograph(page, "undo");
    expect(sandbox.log.count).toBe(0);
    expect(sandbox.webhooks.endpoints).toHaveLength(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await row(page, /devices\.create/).waitFor();
    expect(sandbox.log.count).toBe(2);
    await page.getByText("The sandbox went back.").waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  test("without the token, shows the activity but changes nothing", async () => {
    await using sandbox = await start();
    await using opened = await open(sandbox, {}, sandbox.origin);
    const { page } = opened;
    await fetch(`${sandbox.ledger.baseUrl}/v1/blocks/height`);
    await row(page, /ledger blocks\.height/).click();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("alert").getByText("This needs the token").waitFor();
    expect(sandbox.log.count).toBe(1);
    await page.getByLabel(/paste it/).fill(sandbox.page);
    await page.getByRole("button", { name: "Use" }).click();
    await page.getByRole("button", { name: "Send again" }).click();
    await expect.poll(() => sandbox.log.count).toBe(2);
  });

  test("under a public address, shows nothing without the token", async () => {
    await using sandbox = await startSandbox({ clock: systemClock, host: "0.0.0.0" });
    await fetch(`${sandbox.ledger.baseUrl}/v1/blocks/height`);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(sandbox.origin);
    await page.getByText("Nothing is shown without the token").waitFor();
    expect(await page.content()).not.toContain("blocks");
    await page.goto("about:blank");
    await page.goto(sandbox.page);
    await row(page, /ledger blocks\.height/).waitFor();
    await context.close();
  });

  test.each(looks)("axe finds nothing in $name", async ({ options, rules, views = VIEWS }) => {
    await using sandbox = await start();
    const client = createConsoleClient({
      baseUrl: sandbox.console.baseUrl,
      apiKey: sandbox.apiKey,
    });
    await client.devices.create(newDevice());
    await client.labels.find({ name: "nothing" }).catch(() => {});
    await using receiver = await serveLocal((_request, response) =>
      response.writeHead(500).end("no"),
    );
    sandbox.webhooks.register({ url: receiver.url });
    await sandbox.webhooks.trigger("sim.activated");
    sandbox.mapper.state.uplinks.push({
      at: 0,
      dev_eui: "0004A30B001C0530",
      position: { latitude: 52.5, longitude: 13.4, altitude: 40, accuracy: 3 },
      uplink: { hotspots: [{ name: "calm-copper-heron", lat: 52.51, long: 13.44 }] },
    });
    await using opened = await open(sandbox, options);
    const { page, faults } = opened;
    const check = async (): Promise<void> => {
      const axe = new AxeBuilder({ page });
      const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      const width = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect(width).toBeLessThanOrEqual(0);
    };
    for (const view of views) {
      await show(page, view);
      await page.waitForTimeout(200);
      await check();
      const first = page.locator("[role=option], tr.opens").first();
      if (!(await first.isVisible())) continue;
      await first.click();
      await page.getByRole("region", { name: "Details" }).getByRole("heading").first().waitFor();
      await check();
    }
    expect(faults).toEqual([]);
  });
});
