// A checkpoint is stored by others: in jsonb, in Redis, in a file that somebody edits.
import { expect, test } from "vitest";
import { CheckpointError, type BulkCheckpoint } from "../src/index.ts";
import { deviceOf } from "./model-console.ts";
import { startOddConsole } from "./odd-console.ts";

const QUICK = { chunkSize: 2, settleTime: 1, timeout: 500 } as const;
const fleet = Array.from({ length: 8 }, (_, number) => deviceOf(number + 1));

/** A run that was left in the middle, and its checkpoint. */
async function leaveRun() {
  const console = startOddConsole({});
  let checkpoint!: BulkCheckpoint;
  const onCheckpoint = (next: BulkCheckpoint): void => void (checkpoint = next);
  let seen = 0;
  const run = console.client.devices.createMany(fleet, { ...QUICK, concurrency: 1, onCheckpoint });
  for await (const _ of run) if (++seen === 5) break;
  return { ...console, checkpoint };
}

/** Writes JSON as jsonb does: keys by their length, then by their letters, with spaces. */
function likeJsonb(value: unknown): unknown {
  const sort = (_key: string, each: unknown): unknown =>
    each !== null && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(
          Object.entries(each).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)),
        )
      : each;
  return JSON.parse(JSON.stringify(value, sort, 1));
}

test("a checkpoint that went through jsonb or JSON resumes", async () => {
  for (const store of [
    likeJsonb,
    (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown,
  ]) {
    const { client, devices, checkpoint } = await leaveRun();
    const stored = store(checkpoint) as BulkCheckpoint;
    expect(await client.devices.createMany(fleet, { ...QUICK, checkpoint: stored })).toMatchObject({
      created: 8,
    });
    expect(devices).toHaveLength(8);
  }
});

test("a checkpoint with any changed digit or character is rejected before anything is sent", async () => {
  const { client, devices, checkpoint } = await leaveRun();
  const text = JSON.stringify(checkpoint);
  const before = devices.length;
  let rejected = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (!/[\da-z]/.test(character)) continue;
    const other = /\d/.test(character)
      ? (Number(character) + 1) % 10
      : character === "z"
        ? "a"
        : "z";
    let changed: BulkCheckpoint;
    try {
      changed = JSON.parse(`${text.slice(0, at)}${other}${text.slice(at + 1)}`) as BulkCheckpoint;
    } catch {
      continue;
    }
    const run = client.devices.createMany(fleet, { ...QUICK, checkpoint: changed });
    await expect(run.report()).rejects.toThrow(CheckpointError);
    rejected++;
  }
  expect(rejected).toBeGreaterThan(100);
  expect(devices).toHaveLength(before);
});
