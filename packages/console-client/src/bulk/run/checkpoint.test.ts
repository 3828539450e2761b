import { CheckpointError, withChecksum } from "@fieldmesh/core/internal";
import { expect, test } from "vitest";
import { checkCheckpoint, MAX_ERROR, type BulkCheckpoint } from "./checkpoint.ts";

const METHOD = "devices.createMany";
const OPEN = {
  chunk: 1,
  digest: "d1",
  size: 10,
  kind: "at_work" as const,
  until: 1_700_000_000_000,
  writer: "w1",
  items: [12, 14],
} satisfies BulkCheckpoint["open"][number];
const checkpoint: BulkCheckpoint = withChecksum({
  version: 1,
  call: METHOD,
  server: "s1",
  organization: "o1",
  chunkSize: 10,
  done: ["d0", "", "d2"],
  open: [OPEN],
  unsettled: 10,
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
const check = (changed: object, chunkSize?: number): BulkCheckpoint =>
  checkCheckpoint(changedTo(changed), METHOD, chunkSize);

test("a written checkpoint is read back unchanged, also from a file", () => {
  expect(check({})).toEqual(checkpoint);
  expect(checkCheckpoint(JSON.parse(JSON.stringify(checkpoint)), METHOD, 10)).toEqual(checkpoint);
});

test.each<[string, object]>([
  ["no method", { call: undefined }],
  ["no server", { server: undefined }],
  ["a server that is not a string", { server: 7 }],
  ["no organization", { organization: null }],
  ["a chunk size of 0", { chunkSize: 0 }],
  ["a chunk size above 1,000", { chunkSize: 1_001 }],
  ["a fractional chunk size", { chunkSize: 1.5 }],
  ["a digest that is too long", { done: ["d".repeat(21), "", "d2"] }],
  ["a digest that is not a string", { done: ["d0", 0, "d2"] }],
  ["no list of chunks", { done: "d0" }],
  ["an open chunk without a number", { open: [{ ...OPEN, chunk: undefined }] }],
  ["an open chunk with a negative number", { open: [{ ...OPEN, chunk: -1 }] }],
  ["an open chunk with an unknown field", { open: [{ ...OPEN, more: 1 }] }],
  ["an open chunk without a kind", { open: [{ ...OPEN, kind: undefined }] }],
  ["an open chunk of another kind", { open: [{ ...OPEN, kind: "timed_out" }] }],
  ["an open chunk without its time", { open: [{ ...OPEN, until: undefined }] }],
  ["an open chunk whose writer is not known", { open: [{ ...OPEN, writer: undefined }] }],
  ["an open chunk with the place of no device", { open: [{ ...OPEN, items: [-1] }] }],
  ["no number of unsettled devices", { unsettled: undefined }],
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
  expect(() => check(changed)).toThrow("is not a checkpoint that this version wrote");
});

test("a checkpoint that was made with another chunk size is rejected with what to do", () => {
  expect(check({}, 10)).toEqual(checkpoint);
  expect(() => check({}, 11)).toThrow(
    new CheckpointError(
      "other_input",
      "devices.createMany rejected the checkpoint: it was made with chunkSize 10. Omit chunkSize, set the same, or start without it.",
    ),
  );
});
