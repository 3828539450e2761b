// What a person does on the page of the sandbox, each task from a fresh start, with a picture.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { createConsoleClient } from "@fieldmesh/console-client";
import type { Clock } from "@fieldmesh/core";
import { createSteerableClock, type RunningSandbox, startSandbox } from "@fieldmesh/sandbox";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { describeInBrowser } from "../site/open-site.ts";
import { photograph } from "./photograph.ts";

const SIZE = { width: 1280, height: 800 };
/** Milliseconds until something must be there. */
const PATIENCE = 10_000;
/** Clicks and choices that a task may need. */
const MOST_CLICKS = 3;
/** Counts what a person does with the mouse: a click, and a choice in a select. */
const COUNT_CLICKS = `
  window.clicks = 0;
  addEventListener("pointerdown", () => window.clicks++, true);
  addEventListener("change", ({ target }) => target.matches("select") && window.clicks++, true);
`;
const DEVICE = {
  name: "Pump 1",
  dev_eui: "0004A30B001C0530",
  app_eui: "70B3D57ED0010002",
  app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
};

describeInBrowser((browser) => {
  /** Starts a sandbox and opens its page, as `fieldmesh sandbox` and a click do. */
  async function open(): Promise<{ sandbox: RunningSandbox<Clock>; page: Page }> {
    const sandbox = await startSandbox<Clock>({ clock: createSteerableClock() });
    const context = await browser().newContext({
      viewport: SIZE,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    onTestFinished(async () => {
      await context.close();
      await sandbox.close();
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.addInitScript(COUNT_CLICKS);
    await page.goto(sandbox.page);
    await page.getByText("Live", { exact: true }).waitFor();
    return { sandbox, page };
  }

  /** Ends a task: looks at its result, and checks the number of clicks. */
  async function finish(page: Page, name: string): Promise<void> {
    // The page may still receive what the last click has changed.
    await page.waitForTimeout(200);
    await photograph(page, name);
    expect(await page.evaluate("window.clicks")).toBeLessThanOrEqual(MOST_CLICKS);
  }

  /** Serves a receiver whose status can be changed. */
  async function receiver(): Promise<{ url: string; status: number; bodies: string[] }> {
    const state = { url: "", status: 200, bodies: [] as string[] };
    const server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        state.bodies.push(body);
        response.writeHead(state.status).end(state.status === 200 ? "" : "no such column: iccid");
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    return state;
  }

  const choose = (page: Page, view: string): Promise<void> =>
    page.getByRole("navigation").getByRole("link", { name: view }).click();
  const line = (page: Page, name: RegExp) => page.getByRole("option", { name });

  async function copied(page: Page, name: string): Promise<string> {
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const text = await page.evaluate<string>("navigator.clipboard.readText()");
    await page.getByRole("button", { name: "Copied" }).waitFor({ state: "detached" });
    return text;
  }

  test("why did this delivery fail, and deliver it again", async () => {
    const { sandbox, page } = await open();
    const hooks = await receiver();
    hooks.status = 500;
    sandbox.webhooks.register({ url: hooks.url });
    await sandbox.webhooks.trigger("sim.activated");
    await choose(page, "Deliveries");
    await line(page, /sim\.activated 500/).click();
    await page.getByText("no such column: iccid").waitFor();
    await page.getByText("The signature matches the secret of this endpoint.").waitFor();
    await page.getByText(/^Attempt 2 in \d+ s/).waitFor();
    await photograph(page, "why-a-delivery-failed");
    hooks.status = 200;
    await page.getByRole("button", { name: "Deliver again" }).click();
    await line(page, /delivered .*sim\.activated 200/).waitFor();
    await finish(page, "delivered-again");
  });

  test("deliver all again that failed", async () => {
    const { sandbox, page } = await open();
    const hooks = await receiver();
    hooks.status = 500;
    sandbox.webhooks.register({ url: hooks.url });
    for (const type of ["sim.activated", "sim.suspended", "plan.created"] as const)
      await sandbox.webhooks.trigger(type);
    hooks.status = 200;
    await sandbox.webhooks.trigger("invoice.paid");
    await choose(page, "Deliveries");
    await page.getByRole("button", { name: "Select 3 failed" }).click();
    await photograph(page, "selected");
    await page.getByRole("button", { name: "Deliver 3 again" }).click();
    await expect
      .poll(() => sandbox.webhooks.deliveries().filter(({ status }) => status === "delivered"))
      .toHaveLength(4);
    expect(hooks.bodies).toHaveLength(7);
    await finish(page, "delivered-all-again");
  });

  test("who calls with a wrong key", async () => {
    const { sandbox, page } = await open();
    await createConsoleClient(sandbox.console).labels.list();
    const wrong = { ...sandbox.console, apiKey: "a-key-of-last-year" };
    await createConsoleClient(wrong)
      .devices.list()
      .catch(() => undefined);
    await line(page, /devices\.list 401/).waitFor();
    await page.getByRole("button", { name: "key:unknown" }).click();
    await page.getByText("1 of 2: key:unknown in key").waitFor();
    await line(page, /devices\.list 401/).click();
    await page.getByText("no key of this sandbox").waitFor();
    await finish(page, "a-wrong-key");
  });

  test("requests a minute, and what is left of a limit", async () => {
    const { sandbox, page } = await open();
    const client = createConsoleClient(sandbox.console);
    for (let sent = 0; sent < 12; sent++) await client.labels.list();
    await page.getByText("12 requests in the last minute").waitFor();
    await page.getByText(/5,988 of 6,000 left/).waitFor();
    await finish(page, "requests-a-minute");
  });

  test("stop a device", async () => {
    const { sandbox, page } = await open();
    const device = await createConsoleClient(sandbox.console).devices.create(DEVICE);
    await choose(page, "State");
    await page.getByRole("link", { name: "Pump 1" }).click();
    await page.getByRole("button", { name: "Deactivate" }).click();
    await page.getByRole("button", { name: "Activate", exact: true }).waitFor();
    await page.getByText("devices.setActive").waitFor();
    await finish(page, "a-stopped-device");
    expect(sandbox.console.state.devices.get(device.id)?.active).toBe(false);
  });

  test("an outage of ten minutes", async () => {
    const { sandbox, page } = await open();
    const height = async () => (await fetch(`${sandbox.ledger.baseUrl}/v1/blocks/height`)).status;
    await choose(page, "Faults");
    await page.getByRole("button", { name: "503 for ten minutes" }).click();
    await page.getByText(/10 min left/).waitFor();
    expect(await height()).toBe(503);
    await photograph(page, "an-outage");
    await page.getByRole("button", { name: "Advance the clock by 10 min" }).click();
    await expect.poll(height).toBe(200);
    await finish(page, "after-an-outage");
  });

  test("share a state", async () => {
    const { sandbox, page } = await open();
    await createConsoleClient(sandbox.console).labels.create({ name: "Pumps" });
    await choose(page, "State");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save a snapshot" }).click();
    const file = await (await saved).path();
    await finish(page, "a-saved-state");

    const other = await open();
    await choose(other.page, "State");
    await other.page.getByLabel("File of a snapshot").setInputFiles(file);
    await other.page.getByRole("button", { name: "Restore" }).click();
    await expect
      .poll(() => [...other.sandbox.console.state.labels.values()].map(({ name }) => name))
      .toContain("Pumps");
    await finish(other.page, "a-restored-state");
  });

  test("from a change of a SIM to my receiver", async () => {
    const { sandbox, page } = await open();
    const hooks = await receiver();
    sandbox.webhooks.register({ url: hooks.url });
    await sandbox.webhooks.trigger("sim.suspended");
    await choose(page, "Events");
    await line(page, /sim\.suspended/).click();
    await photograph(page, "a-change-of-a-sim");
    await page.getByRole("link", { name: hooks.url }).click();
    await page.getByText("succeeded").waitFor();
    await finish(page, "at-my-receiver");
  });

  test("all events of one SIM", async () => {
    const { sandbox, page } = await open();
    const hooks = await receiver();
    sandbox.webhooks.register({ url: hooks.url });
    for (const id of ["sim_1", "sim_2"])
      for (const type of ["sim.activated", "sim.suspended", "sim.restored"] as const)
        await sandbox.webhooks.trigger(type, { data: { object: { id } } });
    await choose(page, "State");
    await page.getByRole("button", { name: /^sims/ }).click();
    await page.getByRole("link", { name: "sim_1" }).click();
    const timeline = page.getByRole("list", { name: "What happened to it" });
    await expect
      .poll(() => timeline.getByText(/^sim\./).allTextContents())
      .toEqual(["sim.restored", "sim.suspended", "sim.activated"]);
    await finish(page, "all-events-of-a-sim");
  });

  test("copy a request, and run it as curl and as TypeScript", async () => {
    const { sandbox, page } = await open();
    await createConsoleClient(sandbox.console).labels.create({ name: "Pumps" });
    // Inside this package, where a program finds the clients.
    const folder = mkdtempSync(join(import.meta.dirname, "task-2-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // As a person: the file with the addresses and keys is copied first.
    await choose(page, "Connect");
    writeFileSync(join(folder, ".env"), await copied(page, "Copy as .env"));
    await photograph(page, "connect");
    await choose(page, "Requests");
    await line(page, /labels\.create/).click();
    const [curl, program] = [
      await copied(page, "Copy as curl"),
      await copied(page, "Copy as TypeScript"),
    ];
    await photograph(page, "copy");
    writeFileSync(join(folder, "call.mts"), program.replace('"Pumps"', '"Tanks"'));
    const shell = `set -a; . ./.env; set +a; ${curl.replace("curl", "curl -s")}`;
    // Asynchronous, because the sandbox that responds runs in this process.
    const run = async (command: string, ...args: string[]): Promise<string> =>
      (await promisify(execFile)(command, args, { cwd: folder })).stdout;
    // The label exists, which the service says.
    expect(await run("bash", "-c", shell)).toContain("name");
    await run(process.execPath, "--env-file=.env", "call.mts");
    await line(page, /labels\.create 201/)
      .nth(1)
      .waitFor();
    expect(sandbox.log.requests("labels.create").map(({ status }) => status)).toEqual([
      201, 422, 201,
    ]);
    await photograph(page, "ran");
  });

  test("send an event that a search found", async () => {
    const { sandbox, page } = await open();
    const hooks = await receiver();
    sandbox.webhooks.register({ url: hooks.url });
    await choose(page, "Send event");
    await page.getByLabel("Search event types").fill("plan created");
    await page.getByText(/^Will be sent to http:/).waitFor();
    await page.getByRole("button", { name: "Send plan.created", disabled: false }).waitFor();
    await page.getByLabel("id", { exact: true }).fill("plan_7");
    await photograph(page, "compose");
    await page.getByRole("button", { name: "Send plan.created" }).click();
    await page.getByText("Sent plan.created.").waitFor();
    await photograph(page, "sent");
    await page.getByRole("link", { name: "See its deliveries" }).click();
    await page.getByText(/^1 of 1: evt_/).waitFor();
    await finish(page, "deliveries-of-an-event");
    expect(JSON.parse(hooks.bodies[0] ?? "{}")).toMatchObject({
      type: "plan.created",
      data: { object: { id: "plan_7" } },
    });
  });
});
