// Measures the page of the sandbox with 10,000 requests in Chromium: npm run bench:page
import { globSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { startSandbox } from "@fieldmesh/sandbox";
import { systemClock } from "@fieldmesh/core";
import { chromium, type CDPSession, type Page } from "playwright-core";
import { finish, limit, note, table } from "./support/report.ts";

const REQUESTS = 10_000;
const KEYS = 200;
const MOST_MS = 50;
const MOST_HEAP_MB = 80;
const MOST_KB = 60;
const LAST = 0.99;
const BYTES_PER_MB = 2 ** 20;

const folders = (process.env["PATH"] ?? "").split(":");
const [program] = globSync(folders.map((folder) => join(folder, "chromium{,-browser}")));
if (program === undefined) {
  note("skipped: there is no chromium.");
} else {
  await measurePage(program);
  finish();
}

async function measurePage(executablePath: string): Promise<void> {
  await using sandbox = await startSandbox({ clock: systemClock });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const loaded: number[] = [];
  page.on("response", (response) => {
    if (response.url().startsWith(`${sandbox.origin}/sandbox/`)) return;
    void response.body().then((body) => loaded.push(gzipSync(body).length));
  });
  await page.goto(sandbox.page);
  await send(sandbox, REQUESTS);
  await page.getByText("10,000 of 10,000").waitFor();
  const devtools = await page.context().newCDPSession(page);
  const before = await heap(devtools);

  await page.locator(".list").focus();
  const moves = await timeKeys(page, (at) => (at % 4 === 3 ? "k" : "j"));
  await page.getByRole("searchbox").focus();
  const typed = await timeKeys(page, (at) => "labels 503"[at % 20] ?? "Backspace");
  await page.keyboard.press("Escape");

  // The list keeps as many as the log of the sandbox does.
  await send(sandbox, REQUESTS);
  await page.waitForTimeout(1_000);
  const after = await heap(devtools);
  await browser.close();

  const kilobytes = loaded.reduce((sum, bytes) => sum + bytes, 0) / 1_000;
  note(
    `A key press lasts from the event until the next frame is drawn. ${KEYS} of each kind, with ${REQUESTS} requests.`,
  );
  table([
    { key: "j and k", "median ms": quantile(moves, 0.5), "99 % ms": quantile(moves, LAST) },
    {
      key: "a letter in the filter",
      "median ms": quantile(typed, 0.5),
      "99 % ms": quantile(typed, LAST),
    },
  ]);
  table([
    { requests: "10,000", "heap MB": before },
    { requests: "20,000, of which 10,000 are kept", "heap MB": after },
  ]);
  limit("99 % of the key presses in the list, in ms", quantile(moves, LAST), { most: MOST_MS });
  limit("99 % of the key presses in the filter, in ms", quantile(typed, LAST), { most: MOST_MS });
  limit("heap after 20,000 requests, in MB", after, { most: MOST_HEAP_MB });
  limit("first load, in KB of gzip", kilobytes, { most: MOST_KB });
}

/** Calls the services, some of them without success. */
async function send(
  { origin, apiKey }: { origin: string; apiKey: string },
  count: number,
): Promise<void> {
  const lane = async (from: number): Promise<void> => {
    for (let sent = from; sent < count; sent += 20) {
      const path = sent % 3 === 0 ? "/console/api/v1/labels" : "/ledger/v1/blocks/height";
      const response = await fetch(origin + path, { headers: { key: apiKey } });
      await response.body?.cancel();
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, from) => lane(from)));
}

/** Presses keys one after the other, and returns how long each took until it was drawn. */
async function timeKeys(page: Page, keyAt: (at: number) => string): Promise<number[]> {
  await page.evaluate(`
    globalThis.times = [];
    globalThis.onKey ??= addEventListener("keydown", ({ timeStamp }) => {
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - timeStamp)));
    }, { capture: true }) ?? true;
  `);
  for (let at = 0; at < KEYS; at++) await page.keyboard.press(keyAt(at));
  await page.waitForTimeout(200);
  return page.evaluate<number[]>("times");
}

/** The heap in MB, without garbage. */
async function heap(devtools: CDPSession): Promise<number> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return usedSize / BYTES_PER_MB;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
