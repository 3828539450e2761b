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
    await page.goto(sandbox.page);
    await page.getByText("Live", { exact: true }).waitFor();
    return { sandbox, page };
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

  test("1: find out why a delivery failed, and deliver it again", async () => {
    const { sandbox, page } = await open();
    const hooks = await receiver();
    hooks.status = 500;
    sandbox.webhooks.register({ url: hooks.url });
    await sandbox.webhooks.trigger("sim.activated");
    await choose(page, "Deliveries");
    await line(page, /sim\.activated 500/).click();
    await page.getByText("no such column: iccid").waitFor();
    await page.getByText("The signature matches the secret of this endpoint.").waitFor();
    await photograph(page, "1-why-a-delivery-failed");
    hooks.status = 200;
    await page.getByRole("button", { name: "Deliver again" }).click();
    await line(page, /delivered .*sim\.activated 200/).waitFor();
    await photograph(page, "1-delivered-again");
  });

  test("2: copy a request, and run it as curl and as TypeScript", async () => {
    const { sandbox, page } = await open();
    await createConsoleClient(sandbox.console).labels.create({ name: "Pumps" });
    // Inside this package, where a program finds the clients.
    const folder = mkdtempSync(join(import.meta.dirname, "task-2-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // As a person: the file with the addresses and keys is copied first.
    await choose(page, "Connect");
    writeFileSync(join(folder, ".env"), await copied(page, "Copy as .env"));
    await photograph(page, "2-connect");
    await choose(page, "Requests");
    await line(page, /labels\.create/).click();
    const [curl, program] = [
      await copied(page, "Copy as curl"),
      await copied(page, "Copy as TypeScript"),
    ];
    await photograph(page, "2-copy");
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
    await photograph(page, "2-ran");
  });

  test("3: go back to before a request, and undo it", async () => {
    const { sandbox, page } = await open();
    const client = createConsoleClient(sandbox.console);
    await client.labels.list();
    await client.devices.create(DEVICE);
    await line(page, /labels\.list/).click();
    await page.getByRole("button", { name: "Rewind to before this request" }).click();
    const question = page.getByRole("dialog");
    await question.getByText(/^This removes 2 requests, 1 device/).waitFor();
    await photograph(page, "3-question");
    await question.getByRole("button", { name: "Rewind" }).click();
    await page.getByText("The sandbox went back.").waitFor();
    await photograph(page, "3-went-back");
    await page.getByRole("button", { name: "Undo" }).click();
    await line(page, /devices\.create/).waitFor();
    await photograph(page, "3-undone");
    expect(sandbox.log.count).toBe(2);
  });

  test("4: compose an event", async () => {
    const { sandbox, page } = await open();
    const hooks = await receiver();
    sandbox.webhooks.register({ url: hooks.url });
    await choose(page, "Send event");
    await page.getByLabel("Search event types").fill("plan created");
    await page.getByLabel(/^Event type/).selectOption("plan.created");
    await page.getByText(/^Will be sent to http:/).waitFor();
    await page.getByLabel("id", { exact: true }).fill("plan_7");
    await photograph(page, "4-compose");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Sent plan.created.").waitFor();
    await photograph(page, "4-sent");
    expect(JSON.parse(hooks.bodies[0] ?? "{}")).toMatchObject({
      type: "plan.created",
      data: { object: { id: "plan_7" } },
    });
  });

  test("5: switch a fault on, and see it named", async () => {
    const { sandbox, page } = await open();
    await choose(page, "Faults");
    await page.getByRole("switch", { name: /^lost/ }).click();
    await page.getByText(/^lost: do the work and drop the response/).waitFor();
    await photograph(page, "5-fault");
    const client = createConsoleClient({ ...sandbox.console, retry: false });
    await client.labels.list().catch(() => undefined);
    await choose(page, "Requests");
    await line(page, /labels\.list lost broken/).click();
    await page.getByText("fault lost: did the work and dropped the response").waitFor();
    await photograph(page, "5-named");
  });
});
