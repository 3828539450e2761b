import { readFileSync, writeFileSync } from "node:fs";
import { createConsoleClient } from "@fieldmesh/console-client";
import { startSandbox, systemClock } from "@fieldmesh/sandbox";
import { afterAll, afterEach, expect, test } from "vitest";
import { freePort } from "../tools/servers.ts";
import { openPrograms } from "./programs.ts";

// The upload server of the guide, as it is but for its port and its time-out, and users over HTTP.

const programs = openPrograms("frameworks", "upload");
afterEach(programs.stop);
afterAll(programs.remove);

type Numbers = Record<"created" | "skipped" | "failed" | "unknown", number> & {
  readonly unsettled?: number;
  readonly error?: string;
};

/** Starts the program of the guide with a sandbox that needs `ms` for each request of devices. */
async function start(ms: number) {
  const sandbox = await startSandbox({ clock: systemClock, console: { data: "empty" } });
  sandbox.setFaults([{ on: "devices.createBatch", kind: "delay", ms, times: Infinity }]);
  const port = await freePort();
  const file = programs.write("upload", "## An upload of devices, with progress", port);
  const program = readFileSync(file, "utf8");
  const quick = program.replace("timeout: 15_000,", "timeout: 1_000, settleTime: 500,");
  expect(quick).not.toBe(program);
  writeFileSync(file, quick);
  const { baseUrl, apiKey } = sandbox.console;
  await programs.start(file, port, { CONSOLE_URL: baseUrl, CONSOLE_KEY: apiKey });
  return { sandbox, url: `http://127.0.0.1:${port}/imports` };
}

const ROWS = 2_000;

/** Returns a file with one row that is not valid. */
function fileOf(prefix: string): string {
  const row = (index: number): string =>
    `Tank ${index},${index === 7 ? "0004A3" : prefix + String(index).padStart(8, "0")},70B3D57ED0010001,00112233445566778899AABBCCDDEEFF`;
  return [
    "name,dev_eui,app_eui,app_key",
    ...Array.from({ length: ROWS }, (_, index) => row(index)),
  ].join("\n");
}

async function upload(url: string, body: string) {
  const response = await fetch(url, { method: "POST", body });
  const { id, since } = (await response.json()) as { id?: string; since?: string };
  return { status: response.status, since, import: `${url}/${id}` };
}

/** Reads the events of an import to its end. Returns the numbers of its last event. */
async function untilEnd(url: string): Promise<Numbers> {
  const events = (await (await fetch(url)).text()).split("\n\n").filter((event) => event !== "");
  const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(events.at(-1)!) ?? [];
  expect(name).toBe("end");
  return JSON.parse(data!) as Numbers;
}

const sumOf = ({ created, skipped, failed, unknown, unsettled = 0 }: Numbers): number =>
  created + skipped + failed + unknown + unsettled;

/** Returns how many lines of the result file have each status. */
async function statusesOf(url: string): Promise<Record<string, number>> {
  const [head, ...lines] = (await (await fetch(`${url}/result.csv`)).text()).trim().split("\n");
  expect(head).toBe("line,dev_eui,status,error");
  expect(lines.length).toBe(ROWS);
  const counts: Record<string, number> = {};
  for (const line of lines) {
    const [, , status = ""] = line.replaceAll('"', "").split(",");
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

async function devicesIn(server: { baseUrl: string; apiKey: string }): Promise<number> {
  const { baseUrl, apiKey } = server;
  const devices = await createConsoleClient({ baseUrl, apiKey }).devices.list();
  expect(new Set(devices.map(({ dev_eui }) => dev_eui)).size).toBe(devices.length);
  return devices.length;
}

test("of two users who upload one file at once, the second one learns since when the first one runs", async () => {
  const { sandbox, url } = await start(100);
  await using _ = sandbox;
  const file = fileOf("0004A30B");
  const before = Date.now();
  const [one, two] = await Promise.all([upload(url, file), upload(url, file)]);
  const [first, second] = one.status === 202 ? [one, two] : [two, one];
  expect([first.status, second.status]).toEqual([202, 409]);
  expect(Date.parse(second.since!)).toBeGreaterThanOrEqual(before - 1_000);
  expect(Date.parse(second.since!)).toBeLessThanOrEqual(Date.now());
  const numbers = { created: ROWS - 1, skipped: 0, failed: 1, unknown: 0 };
  expect(await untilEnd(first.import)).toEqual(numbers);
  expect(await statusesOf(first.import)).toEqual({ created: ROWS - 1, failed: 1 });

  const again = await upload(url, file);
  expect(await untilEnd(again.import)).toEqual({ ...numbers, created: 0, skipped: ROWS - 1 });
  expect(await statusesOf(again.import)).toEqual({ skipped: ROWS - 1, failed: 1 });
  expect(await devicesIn(sandbox.console)).toBe(ROWS - 1);
  expect((await upload(url, '"no end')).status).toBe(400);
  expect((await fetch(`${url}/none`)).status).toBe(404);
});

test("an import that is cancelled resumes with the same file, and the numbers add up", async () => {
  const { sandbox, url } = await start(500);
  await using _ = sandbox;
  const file = fileOf("0004A30C");
  const { import: first } = await upload(url, file);
  const ended = untilEnd(first);
  await fetch(first, { method: "DELETE" });
  const stopped = await ended;
  expect(stopped.error).toContain("was ended by its signal");
  const { "no result": open = 0, ...results } = await statusesOf(first);
  expect(open).toBeGreaterThan(stopped.unsettled!);
  expect(results).toEqual({ created: stopped.created, failed: stopped.failed });
  expect(sumOf(stopped)).toBeLessThan(ROWS);

  const { import: second } = await upload(url, file);
  expect(await untilEnd(second)).toEqual({ created: ROWS - 1, skipped: 0, failed: 1, unknown: 0 });
  expect(await statusesOf(second)).toEqual({ created: ROWS - 1, failed: 1 });
  expect(await devicesIn(sandbox.console)).toBe(ROWS - 1);
});
