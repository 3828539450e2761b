// npm run docs -- page-pictures: photographs the page of the sandbox for the guide and the README.
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createConsoleClient } from "@fieldmesh/console-client";
import { createSteerableClock, startSandbox } from "@fieldmesh/sandbox";
import { chromium, type Page } from "playwright-core";
import { findChromium } from "./chromium.ts";

const folder = join(import.meta.dirname, "..", "public", "page");
const SIZE = { width: 1200, height: 720 };
const PAUSE = 600;
const QUALITY = 85;
/** The same in each run. */
const START = "2026-11-23T09:30:00Z";

const program = findChromium();
if (program === undefined) throw new Error("There is no chromium on the PATH: install it first.");
mkdirSync(folder, { recursive: true });

const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(500, { "content-type": "application/json" });
  response.end('{"error":"column \\"plan\\" does not exist"}');
}).listen(0, "127.0.0.1");
await new Promise((resolve) => receiver.once("listening", resolve));
const hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;

const clock = createSteerableClock({ start: START, paused: true });
await using sandbox = await startSandbox({ clock });
await sendRequests();
sandbox.webhooks.register({ url: hooks });
await sandbox.webhooks.trigger("sim.activated");
await sandbox.webhooks.trigger("invoice.paid");

const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
const viewer = await browser.newPage({ colorScheme: "light", viewport: SIZE });
await viewer.goto(sandbox.page);
await viewer.getByRole("option", { name: /devices\.create 201/ }).click();
await viewer.waitForTimeout(PAUSE);
await photograph(viewer, "requests");
await viewer.getByRole("link", { name: /^Deliveries/ }).click();
await viewer.getByRole("option", { name: /sim\.activated/ }).click();
await viewer.waitForTimeout(PAUSE);
await photograph(viewer, "deliveries");
await viewer.getByRole("link", { name: /^Faults/ }).click();
await viewer.waitForTimeout(PAUSE);
await photograph(viewer, "faults");
await browser.close();
receiver.close();
console.log("written: docs/public/page");

/** Writes a picture. Playwright writes no WebP, which needs half the bytes of a PNG. */
async function photograph(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality: QUALITY,
  });
  writeFileSync(join(folder, `${name}.webp`), data, "base64");
}

/** Sends what an application sends on a usual day, and what goes wrong in it. */
async function sendRequests(): Promise<void> {
  const { baseUrl } = sandbox.console;
  const client = createConsoleClient({ baseUrl, apiKey: sandbox.apiKey, retry: { baseDelay: 1 } });
  sandbox.setFaults([
    { kind: "status", status: 503, on: "devices.list" },
    { kind: "reset", on: "labels.list", skip: 1 },
    { kind: "status", status: 429, on: "flows.create", times: 3 },
  ]);
  const label = await client.labels.create({ name: "Pumping stations" });
  await client.devices.create({
    name: "Pump 1",
    dev_eui: "0004A30B001C0530",
    app_eui: "70B3D57ED0010002",
    app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
  });
  await client.labels.get({ label_id: label.id });
  await client.labels.find({ name: "Pumps" }).catch(() => undefined);
  for (let sent = 0; sent < 3; sent++) {
    await client.devices.list();
    await client.labels.list();
    await fetch(`${sandbox.ledger.baseUrl}/v1/blocks/height`);
  }
}
