import { withChecksum } from "@fieldmesh/core";
import { expect, test } from "vitest";
import {
  checkCheckpoint,
  checkTarget,
  CheckpointError,
  MAX_ERROR,
  VERSION,
  type BulkCheckpoint,
} from "./checkpoint.ts";

const METHOD = "devices.createMany";
const checkpoint: BulkCheckpoint = withChecksum({
  version: VERSION,
  method: METHOD,
  server: "s1",
  organization: "o1",
  chunkSize: 10,
  done: ["d0", "", "d2"],
  open: [{ chunk: 1, digest: "d1", timedOut: true, responded: false }],
  created: 11,
  failed: 2,
  unknown: 1,
  skipped: 3,
  changed: 0,
  problems: [{ index: 4, status: "failed" as const, error: "is taken" }],
} as const);
/** A checkpoint with other fields, and with the checksum of these. */
function changedTo(changed: object) {
  const { checksum: _old, ...fields } = { ...checkpoint, ...changed };
  return withChecksum(fields);
}
const check = (changed: object, method = METHOD, chunkSize?: number): BulkCheckpoint =>
  checkCheckpoint(changedTo(changed), method, chunkSize);

test("a written checkpoint is read back unchanged, also from a file", () => {
  expect(check({})).toEqual(checkpoint);
  expect(checkCheckpoint(JSON.parse(JSON.stringify(checkpoint)), METHOD, 10)).toEqual(checkpoint);
});

const NOT_WRITTEN =
  "checkpoint was not written by devices.createMany. Pass the checkpoint as it was written, or start without it.";
const DAMAGED =
  "checkpoint was changed or damaged since it was written. Pass the checkpoint as it was written, or start without it.";

test.each<[string, object]>([
  ["an unknown later version", { version: VERSION + 1 }],
  ["no method", { method: undefined }],
  ["no server", { server: undefined }],
  ["a server that is not a string", { server: 7 }],
  ["no organization", { organization: null }],
  ["an unknown field", { more: 1 }],
  ["a chunk size of 0", { chunkSize: 0 }],
  ["a chunk size above 1,000", { chunkSize: 1_001 }],
  ["a fractional chunk size", { chunkSize: 1.5 }],
  ["a digest that is too long", { done: ["d".repeat(21), "", "d2"] }],
  ["a digest that is not a string", { done: ["d0", 0, "d2"] }],
  ["no list of chunks", { done: "d0" }],
  [
    "an open chunk without a number",
    { open: [{ digest: "d1", timedOut: true, responded: false }] },
  ],
  [
    "an open chunk with a negative number",
    { open: [{ chunk: -1, digest: "d1", timedOut: true, responded: false }] },
  ],
  [
    "an open chunk with an unknown field",
    { open: [{ chunk: 1, digest: "d1", timedOut: true, responded: false, more: 1 }] },
  ],
  ["an open chunk without timedOut", { open: [{ chunk: 1, digest: "d1", responded: false }] }],
  ["an open chunk without responded", { open: [{ chunk: 1, digest: "d1", timedOut: true }] }],
  ["a negative count", { created: -1 }],
  ["a fractional count", { failed: 0.5 }],
  ["a count that is not a number", { unknown: "1" }],
  ["a missing count", { skipped: undefined }],
  ["a count that is null", { changed: null }],
  ["a problem with the status created", { problems: [{ index: 4, status: "created", error: "" }] }],
  [
    "a problem with an unknown field",
    { problems: [{ index: 4, status: "failed", error: "", more: 1 }] },
  ],
  [
    "a problem with an error that is too long",
    { problems: [{ index: 4, status: "failed", error: "e".repeat(MAX_ERROR + 1) }] },
  ],
  ["a problem with a negative index", { problems: [{ index: -1, status: "failed", error: "" }] }],
])("a checkpoint with %s is rejected", (_what, changed) => {
  expect(() => check(changed)).toThrow(new TypeError(NOT_WRITTEN));
});

test.each<[string, object]>([
  ["more settled chunks than devices", { done: ["d0", "d1", "d2"] }],
  ["fewer settled chunks than devices", { done: ["d0", "", ""] }],
  ["devices without a chunk", { done: [] }],
  ["a chunk without devices", { created: 0, failed: 0, unknown: 0, skipped: 0, done: ["d0"] }],
])("a checkpoint with %s is rejected as damaged", (_what, changed) => {
  expect(() => check(changed)).toThrow(new TypeError(DAMAGED));
});

test.each<[string, object]>([
  ["one more device", { created: 12, failed: 1 }],
  ["a changed digit of a digest", { done: ["d1", "", "d2"] }],
  ["an open chunk that has not timed out", { open: [{ ...checkpoint.open[0], timedOut: false }] }],
  ["another problem", { problems: [] }],
  ["another server", { server: "s2" }],
  ["another chunk size", { chunkSize: 11 }],
  ["the checksum of another checkpoint", { checksum: changedTo({ created: 12 }).checksum }],
])("a checkpoint in which %s was changed by hand is rejected as damaged", (_what, changed) => {
  expect(() => checkCheckpoint({ ...checkpoint, ...changed }, METHOD, undefined)).toThrow(
    new TypeError(DAMAGED),
  );
});

test("a checkpoint whose keys a database has reordered is accepted", () => {
  const sorted = Object.fromEntries(Object.entries(checkpoint).toReversed());
  expect(checkCheckpoint(sorted, METHOD, undefined)).toEqual(checkpoint);
});

test.each([undefined, null, "checkpoint", 7, [], {}, () => checkpoint])(
  "%o is rejected as a checkpoint",
  (value) => {
    expect(() => checkCheckpoint(value, METHOD, undefined)).toThrow(new TypeError(NOT_WRITTEN));
  },
);

test.each<[object]>([
  [{ created: 17, failed: 0, unknown: 0, skipped: 0 }],
  [{ created: 0, failed: 11, unknown: 0, skipped: 0 }],
  [{ created: 0, failed: 0, unknown: 20, skipped: 0 }],
  [{ created: 0, failed: 0, unknown: 0, skipped: 0, changed: 20 }],
  [{ created: 0, failed: 0, unknown: 0, skipped: 0, done: [], open: [], problems: [] }],
  [{ done: ["d".repeat(20), "", "d2"], chunkSize: 16 }],
  [{ created: 1_500, failed: 0, unknown: 0, skipped: 0, chunkSize: 1_000 }],
  [{ problems: [{ index: 0, status: "unknown", error: "e".repeat(MAX_ERROR) }] }],
])("a checkpoint whose counts fit its chunks is accepted: %j", (changed) => {
  expect(check(changed)).toEqual(changedTo(changed));
});

test("the error about a checkpoint of an older version says how to continue", () => {
  const older =
    "checkpoint was written by an older version of @fieldmesh/console-client, and lacks values that this one compares. Finish the run with that version, or start without it";
  expect(() => check({ version: 2 }, "devices.deleteMany")).toThrow(new TypeError(`${older}.`));
  expect(() => check({ version: 1 })).toThrow(
    new TypeError(`${older} and with \`ifExists: "skip"\`.`),
  );
  expect(() => check({ version: 1 }, "devices.deleteMany")).toThrow(new TypeError(`${older}.`));
});

test("a checkpoint of another method or chunk size is rejected with an error that names the difference", () => {
  expect(() => check({}, "devices.deleteMany")).toThrow(
    new TypeError(
      "checkpoint was not written by devices.deleteMany: it belongs to devices.createMany. Pass it to that method, or start without it.",
    ),
  );
  expect(() => check({}, METHOD, 11)).toThrow(
    new TypeError("checkpoint was made with chunkSize 10: omit chunkSize, or set the same."),
  );
});

test("a checkpoint of another server or organization is rejected", () => {
  const target = { server: "s1", organization: "o1" };
  expect(() => checkTarget(checkpoint, target)).not.toThrow();
  for (const place of ["server", "organization"]) {
    const other = { ...target, [place]: "another" };
    expect(() => checkTarget(checkpoint, other)).toThrow(CheckpointError);
    expect(() => checkTarget(checkpoint, other)).toThrow(
      `checkpoint belongs to another ${place}. Use the baseUrl and the apiKey of that run, or start without it.`,
    );
  }
});
