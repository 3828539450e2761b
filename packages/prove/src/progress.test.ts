import { afterEach, expect, test, vi } from "vitest";
import { proveJob } from "./job/prove-job.ts";
import { createProgress, type ProofProgress } from "./progress.ts";
import { proveReceiver } from "./prove-receiver.ts";
import { correct } from "./testing/correct.ts";
import { planted } from "./testing/planted.ts";

const events = ["sim.activated"] as const;
afterEach(() => vi.restoreAllMocks());

test("proofs report each run, with the number that is planned", async () => {
  const seen: ProofProgress[] = [];
  const onProgress = (progress: ProofProgress) => {
    seen.push(progress);
    throw new Error("an observer breaks nothing");
  };
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const options = { seed: 1, runs: 3, onProgress };
  const { runs } = await proveReceiver(correct["no store, and keys"]!, { events, ...options });
  expect(seen).toEqual(
    Array.from({ length: runs }, (_, at) => ({ runs: at + 1, planned: runs, broken: undefined })),
  );
  seen.length = 0;
  const rules = { none: () => undefined };
  const job = await proveJob(({ baseUrl, fetch }) => fetch(baseUrl).catch(() => {}), {
    rules,
    ...options,
  });
  expect(seen.map((each) => each.runs)).toEqual(
    Array.from({ length: job.runs }, (_, at) => at + 1),
  );
  expect(seen.at(-1)).toEqual({ runs: job.runs, planned: job.runs, broken: undefined });
  const build = planted["sends the mail without a key"]!;
  await expect(proveReceiver(build, { events, ...options })).rejects.toThrow("happened 2 times");
  expect(seen.at(-1)?.broken).toBe("an effect happens once");
});

test.each([
  [
    true,
    [
      "a proof: 3 of 9 runs\n",
      "a proof: “a rule” is broken; looking for a shorter sequence, 12 runs\n",
    ],
  ],
  [false, []],
])("on a terminal (%s), a line a second says how far it is", (isTTY, expected) => {
  const { isTTY: before } = process.stderr;
  const written: unknown[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((line) => Boolean(written.push(line)));
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const report = createProgress("a proof", undefined);
  process.stderr.isTTY = isTTY;
  for (const [time, runs] of [
    [500, 2],
    [1_000, 3],
    [1_999, 4],
    [2_000, 12],
  ] as const) {
    now.mockReturnValue(time);
    report({ runs, planned: 9, broken: runs > 9 ? "a rule" : undefined });
  }
  process.stderr.isTTY = before;
  expect(written).toEqual(expected);
});
