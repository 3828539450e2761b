import { expect, test, vi } from "vitest";
import { answering, errorOf, ids } from "../../../test/answering.ts";
import { contextOf, NOW } from "../../../test/run-context.ts";
import { readList } from "../look/device-list.ts";
import { readBack, waitSettled } from "./read-back.ts";
import type { Chunk, Look, PendingItem, Verb } from "./run-parts.ts";

const failureOf = (status: number, body: unknown = ""): Promise<Error> =>
  errorOf(answering(body, { status }).client.devices.delete({ id: ids.device }));
const itemOf = (index: number, changed: Partial<PendingItem> = {}): PendingItem => ({
  index,
  key: `${index}`,
  content: "",
  identity: { index },
  doubt: "broken",
  ...changed,
});
const chunkOf = (pending: PendingItem[], changed: Partial<Chunk> = {}): Chunk => ({
  number: 0,
  size: pending.length,
  digest: "",
  results: [],
  pending,
  isAtWork: false,
  until: NOW,
  error: undefined,
  rounds: 0,
  isRead: true,
  ...changed,
});
const missing: Look<PendingItem> = {
  lags: false,
  resultOf: () => undefined,
  isUnclear: () => false,
  rejectedOf: ({ index }, error) => ({ index, status: "failed", error }),
};
const verbOf = (look: Partial<Look<PendingItem>> = {}, repeatable = false) => {
  const know = vi.fn();
  const verb = { know, repeatable, look: async () => ({ ...missing, ...look }) };
  return verb as unknown as Verb<PendingItem> & { know: typeof know };
};

test("what the look shows is settled and known, and decides nothing about the others", async () => {
  const chunk = chunkOf([itemOf(0), itemOf(1)]);
  const verb = verbOf({
    resultOf: ({ index }) => (index === 0 ? { index, status: "done" } : undefined),
  });
  const context = contextOf();
  expect(await readBack(verb, [chunk], context)).toEqual([]);
  expect(verb.know).toHaveBeenCalledWith([itemOf(0)]);
  expect(chunk).toMatchObject({ results: [{ index: 0 }], rounds: 1, isRead: true });
  expect(chunk.until).toBe(NOW + 5_000);
});

test.each<[string, object, object, number, boolean, boolean]>([
  ["the second look that agrees", {}, {}, 1, true, false],
  ["the first look", { isRead: false }, {}, 1, false, true],
  ["the first look without settleTime", { isRead: false }, {}, 0, true, false],
  ["a first look that lags", { isRead: false }, { lags: true }, 1, false, false],
])(
  "an input is sent again after %s, or not",
  async (_what, state, look, settleTime, isSent, isRead) => {
    const chunk = chunkOf([itemOf(0)], state);
    const sent = await readBack(verbOf(look), [chunk], contextOf({ settleTime }));
    expect(sent).toEqual(isSent ? [itemOf(0)] : []);
    // After another request, two more looks are needed.
    expect(chunk.isRead).toBe(isRead);
  },
);

test("a repeatable input is sent again after any look, unless it was rejected", async () => {
  const items = [itemOf(0), itemOf(1, { rejection: "no" })];
  const chunk = chunkOf(items, { isRead: false });
  const sent = await readBack(verbOf({ lags: true }, true), [chunk], contextOf());
  expect(sent).toEqual([items[0]]);
  expect(chunk.until).toBe(NOW + 5_000);
});

test.each<[string, object, object, boolean, string]>([
  ["rejected", { rejection: "no" }, {}, false, "no"],
  [
    "not named by a 2xx",
    { doubt: "responded" },
    {},
    false,
    "the console responded with success but does not name it, and the device list does not show it: check later, and send it again only if it does not exist",
  ],
  [
    "unclear in the list",
    {},
    { isUnclear: () => true },
    false,
    "requests with it broke, and the device list shows its EUIs without a whole key, so it may be another device with the same EUIs: check in the console",
  ],
  [
    "at work",
    { doubt: "at_work" },
    {},
    false,
    "a request with it timed out, or was left before its response, and the device list does not show it as carried out: check later, and send it again only when the server has finished",
  ],
  ["at work but repeatable", { doubt: "at_work" }, {}, true, ""],
  ["broken", {}, {}, false, ""],
  ["perhaps sent by an earlier owner", { doubt: "maybe" }, {}, false, ""],
])(
  "an input that is missing and was %s ends, or is sent again",
  async (_what, item, look, repeatable, error) => {
    const chunk = chunkOf([itemOf(0, item)]);
    const sent = await readBack(verbOf(look, repeatable), [chunk], contextOf());
    expect(sent).toHaveLength(error === "" ? 1 : 0);
    expect(chunk.results.map((each) => each.error)).toEqual(error === "" ? [] : [error]);
  },
);

test("after sixteen looks, an input is unknown", async () => {
  const chunk = chunkOf([itemOf(0)], { rounds: 14 });
  const verb = verbOf({ lags: true });
  await readBack(verb, [chunk], contextOf());
  expect(chunk.pending).toHaveLength(1);
  await readBack(verb, [chunk], contextOf());
  expect(chunk.results).toEqual([
    {
      index: 0,
      status: "unknown",
      error:
        "requests with it broke, and the device list does not show its outcome: check later, and send it again only if it does not exist",
    },
  ]);
});

test("the list is read settleTime after the last broken request, and the wait says why", async () => {
  const error = await failureOf(502);
  const context = contextOf();
  const chunks = [
    { until: NOW - 1_000, error: undefined },
    { until: NOW - 2_000, error: error as never },
  ];
  await waitSettled(chunks, context);
  expect(context.used).toMatchObject({
    sleeps: [4_000],
    waits: [
      {
        why: `${error.message} The device list is read after \`settleTime\`.`,
        until: NOW + 4_000,
      },
    ],
  });
  await waitSettled(chunks, context);
  expect(context.used.sleeps).toEqual([4_000]);
  await waitSettled([{ until: NOW + 4_000, error: undefined }], context);
  expect(context.used.waits[1]?.why).toBe(
    "An earlier request may be in progress until its time limit. The device list is read after `settleTime`.",
  );
});

test.each([
  [1_000, 120_000, 3_600_000],
  [200_000, 200_000, 3_600_000],
  [4_000_000, 4_000_000, 4_000_000],
])("a run with a timeout of %i reads the list with longer ones", async (timeout, each, total) => {
  const context = contextOf({ timeout });
  const seen: unknown[] = [];
  const list = async function* (options: object) {
    seen.push(options);
    yield 1;
    yield 2;
  };
  const got: unknown[] = [];
  await readList(list, context, () => ({ add: (device) => void got.push(device) }));
  expect(got).toEqual([1, 2]);
  expect(seen).toEqual([
    { signal: undefined, timeout: each, totalTimeout: total, priority: "background" },
  ]);
  expect(context.used.waits).toEqual([
    { why: "devices.each has not read the whole list yet", until: undefined },
  ]);
});
