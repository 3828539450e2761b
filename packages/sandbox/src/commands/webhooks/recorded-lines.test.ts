import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { testContext } from "../testing/context.ts";
import { UsageError } from "../command-error.ts";
import { openRecording, readRecording } from "./recording.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  path = join(folder, "deliveries.ndjson");
});
afterEach(() => {
  vi.useRealTimers();
});

const event = (id: string) => sampleEvent("cpni.verification.requested", { id });
const line = (id: string) => `{"event":{"id":"${id}","type":"sim.activated"}}`;

async function record(...ids: readonly string[]): Promise<void> {
  const recording = await openRecording(path);
  await Promise.all(ids.map((id) => recording.add(event(id))));
  await recording.close();
}

test.each([
  ["", 1],
  ["\n", 2],
  ["earlier\n", 2],
  ["earlier", 2],
  ["a\nb", 3],
])("a recording continues after %j in a line of its own", async (before, lines) => {
  writeFileSync(path, before, { mode: 0o600 });
  await record("evt_1", "evt_2");
  const text = readFileSync(path, "utf8");
  expect(text.startsWith(before)).toBe(true);
  const all = text.split("\n");
  expect(all[lines - 1]).toMatch(/^\{.*"evt_1".*\}$/);
  expect(all[lines]).toMatch(/^\{.*"evt_2".*\}$/);
  expect(all.slice(lines + 1)).toEqual([""]);
});

test("a recording that cannot be opened or read is rejected with the option to change", async () => {
  await expect(openRecording(folder)).rejects.toThrow(
    new UsageError(`${folder} cannot be written. Choose another name for --out.`),
  );
  await expect(readRecording(path, testContext().signal)).rejects.toThrow(
    new UsageError(`The file cannot be read: --from needs the file of a recording.`),
  );
});

test.each([
  ["half a line", '{"recorded_at":"2026'],
  ["null", "null"],
  ["a list", "[1]"],
  ["a string", '"evt_1"'],
  ["no event", "{}"],
  ["null as its event", '{"event":null}'],
  ["a list as its event", '{"event":[]}'],
  ["no id", '{"event":{"type":"sim.activated"}}'],
  ["no type", '{"event":{"id":"evt_1"}}'],
  ["a number as its id", '{"event":{"id":1,"type":"sim.activated"}}'],
  ["a number as its type", '{"event":{"id":"evt_1","type":1}}'],
])("a line with %s is skipped and counted", async (_what, text) => {
  writeFileSync(path, `${line("evt_1")}\n${text}\n${line("evt_2")}\n`);
  const { deliveries, skipped } = await readRecording(path, testContext().signal);
  expect(deliveries.map((each) => each.event.id)).toEqual(["evt_1", "evt_2"]);
  expect(skipped).toBe(1);
});
