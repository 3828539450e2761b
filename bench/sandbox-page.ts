// Measures the page of the sandbox with 10,000 requests in Chromium: npm run bench -- page
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
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });

  await page.locator(".list").focus();
  const moves = await timeKeys(page, devtools, (at) => (at % 4 === 3 ? "k" : "j"));
  await page.getByRole("searchbox").focus();
  const typed = await timeKeys(page, devtools, (at) => "labels 503"[at % 20] ?? "Backspace");
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
  table([rowOf("j and k", moves), rowOf("a letter in the filter", typed)]);
  table([
    { requests: "10,000", "heap MB": before },
    { requests: "20,000, of which 10,000 are kept", "heap MB": after },
  ]);
  for (const [name, { times, cpu }] of [
    ["list", moves],
    ["filter", typed],
  ] as const) {
    limit(`99 % of the key presses in the ${name}, in ms`, quantile(times, LAST), {
      most: MOST_MS,
    });
    limit(`processor time of a key press in the ${name}, in ms`, cpu, { most: MOST_MS });
  }
  limit("heap after 20,000 requests, in MB", after, { most: MOST_HEAP_MB });
  limit("first load, in KB of gzip", kilobytes, { most: MOST_KB });
}

function rowOf(key: string, { times, cpu }: { readonly times: number[]; readonly cpu: number }) {
  return {
    key,
    "median ms": quantile(times, 0.5),
    "99 % ms": quantile(times, LAST),
    "processor ms": cpu,
  };
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
async function timeKeys(
  page: Page,
  devtools: CDPSession,
  keyAt: (at: number) => string,
): Promise<{ readonly times: number[]; readonly cpu: number }> {
  const began = await cpuTime(devtools);
  await page.evaluate(`
    globalThis.times = [];
    globalThis.onKey ??= addEventListener("keydown", ({ timeStamp }) => {
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - timeStamp)));
    }, { capture: true }) ?? true;
  `);
  for (let at = 0; at < KEYS; at++) await page.keyboard.press(keyAt(at));
  await page.waitForTimeout(200);
  const cpu = ((await cpuTime(devtools)) - began) / KEYS;
  return { times: await page.evaluate<number[]>("times"), cpu };
}

/** The time of the processor that the page has used, in ms. Other programs on the machine do not affect it. */
async function cpuTime(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
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
