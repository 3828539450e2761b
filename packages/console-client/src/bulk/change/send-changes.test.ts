import { expect, test, vi } from "vitest";
import { idOf as uuid } from "../../../test/model-console.ts";
import { contextOf } from "../../../test/run-context.ts";
import { answering, errorOf } from "../../../test/answering.ts";
import { changes, type ChangeMethods, type PendingChange } from "../look/change-rows.ts";
import { lookAt, lookForChanges } from "../look/look-for-changes.ts";
import { readChange, sendChanges } from "./send-changes.ts";
import type { Chunk } from "../run/run-parts.ts";

type Name = keyof typeof changes;
const [DEVICE, LABEL, OTHER] = [uuid(0xd), uuid(0xe), uuid(0xf)];
const inputs: Record<Name, Record<string, unknown>> = {
  deleteMany: { id: DEVICE },
  setActiveMany: { device_id: DEVICE, active: false },
  addLabelMany: { device_id: DEVICE, label: LABEL },
  removeLabelMany: { device_id: DEVICE, label_id: LABEL },
};
const pendingOf = (name: Name, changed: object = {}, index = 0): PendingChange =>
  readChange(changes[name], { ...inputs[name], ...changed }, index) as PendingChange;

/** The methods of a client that call `respond` instead of sending anything. */
function methodsOf(respond: (call: string, input: object) => unknown): ChangeMethods {
  const method = (call: string) => async (input: object) => await respond(call, input);
  return {
    delete: method("devices.delete"),
    setActive: method("devices.setActive"),
    addLabel: method("devices.addLabel"),
    removeLabel: method("devices.removeLabel"),
  };
}

/** The error of a client for a response with this status. */
async function failureOf(status: number): Promise<Error> {
  return await errorOf(answering("", { status }).client.devices.delete({ id: DEVICE }));
}

test.each([
  ["deleteMany", "id", "devices.delete", [DEVICE]],
  ["setActiveMany", "device_id", "devices.setActive", [DEVICE]],
  ["addLabelMany", "device_id", "devices.addLabel", [DEVICE, LABEL]],
  ["removeLabelMany", "device_id", "devices.removeLabel", [DEVICE, LABEL]],
] as const)("%s identifies a device by %s, and sends %s", async (name, idField, call, key) => {
  const row = changes[name];
  const change = pendingOf(name, { more: 1 });
  expect(change).toEqual({
    index: 0,
    input: inputs[name],
    identity: { index: 0, device_id: DEVICE },
    key: key.join(),
    content: Object.values(inputs[name]).join(),
  });
  const sent: unknown[] = [];
  const context = contextOf();
  const methods = methodsOf((...all) => void sent.push(all));
  const outcome = await sendChanges(row, methods, [change], context);
  expect(sent).toEqual([[call, inputs[name]]]);
  expect(outcome).toEqual({
    results: new Map([[0, { status: "done", index: 0, device_id: DEVICE }]]),
  });
  expect(context.used.waits).toEqual([{ why: `${call} has not responded yet`, until: undefined }]);
  expect(readChange(row, { ...inputs[name], [idField]: "none" }, 3)).toEqual({
    index: 3,
    device_id: undefined,
    status: "failed",
    reason: "invalid",
    error: `${idField}: is not a UUID`,
  });
});

test("only changes that a second request cannot double are repeatable, and labels are not", () => {
  const columns = (["isInRecord", "removes", "repeatable"] as const).map((column) =>
    Object.values(changes).map((row) => row[column]),
  );
  expect(columns).toEqual([
    [true, false, true, true],
    ["device", undefined, undefined, "label"],
    [true, true, false, true],
  ]);
});

test("two changes of a device are equal in any case, and not if their labels differ", () => {
  const keyOf = (name: Name, changed: object): string => pendingOf(name, changed).key;
  const upper = { device_id: DEVICE.toUpperCase() };
  expect(keyOf("addLabelMany", upper)).toBe(keyOf("addLabelMany", {}));
  expect(keyOf("addLabelMany", { label: OTHER })).not.toBe(keyOf("addLabelMany", {}));
  expect(keyOf("removeLabelMany", { label_id: OTHER })).not.toBe(keyOf("removeLabelMany", {}));
  expect(keyOf("setActiveMany", { active: true })).toBe(keyOf("setActiveMany", {}));
  expect(pendingOf("setActiveMany", { active: true }).content).toBe(`${DEVICE},true`);
});

test.each<[string, unknown, string | undefined, string]>([
  ["nothing", undefined, undefined, "must be an object"],
  ["null", null, undefined, "must be an object"],
  ["an invalid label", { device_id: DEVICE, label: "none" }, DEVICE, "label: is not a UUID"],
  ["a number as its id", { device_id: 7, label: LABEL }, undefined, "device_id"],
])("an input that is %s names its device only if its id is valid", (_what, input, id, error) => {
  const result = readChange(changes.addLabelMany, input, 2);
  expect(result).toMatchObject({ index: 2, status: "failed", reason: "invalid" });
  expect(result).toHaveProperty("device_id", id);
  expect((result as { error: string }).error).toContain(error === "must be an object" ? "" : error);
});

test.each([400, 404, 409, 422])(
  "a %i to the first request fails that device alone",
  async (status) => {
    const error = await failureOf(status);
    const context = contextOf({ concurrency: 1 });
    const pending = [pendingOf("deleteMany"), pendingOf("deleteMany", { id: OTHER }, 1)];
    const methods = methodsOf((_, { id }: { id?: string }) => {
      if (id === DEVICE) throw error;
    });
    const { results } = await sendChanges(changes.deleteMany, methods, pending, context);
    expect([...results.values()]).toEqual([
      { index: 0, device_id: DEVICE, status: "failed", reason: "rejected", error: error.message },
      { index: 1, device_id: OTHER, status: "done" },
    ]);
    expect(pending[0]?.doubt).toBeUndefined();
  },
);

test.each([401, 403, 413])("a %i ends the run: no further request of it starts", async (status) => {
  const error = await failureOf(status);
  const send = vi.fn(() => {
    throw error;
  });
  const pending = [0, 1, 2, 3].map((index) => pendingOf("deleteMany", { id: uuid(index) }, index));
  const context = contextOf({ concurrency: 1 });
  expect(await sendChanges(changes.deleteMany, methodsOf(send), pending, context)).toMatchObject({
    failure: { error },
  });
  expect(send).toHaveBeenCalledOnce();
});

test("of several failures that end a run, the first one is returned, with the results before it", async () => {
  const errors = [await failureOf(401), await failureOf(403)];
  const [first] = errors;
  const pending = [0, 1, 2].map((index) => pendingOf("deleteMany", { id: uuid(index) }, index));
  const methods = methodsOf((_, { id }: { id?: string }) => {
    if (id !== uuid(0)) throw errors.shift()!;
  });
  const outcome = await sendChanges(changes.deleteMany, methods, pending, contextOf());
  expect(outcome.failure?.error).toBe(first);
  expect([...outcome.results.keys()]).toEqual([0]);
});

test("requests run in parallel, as many as concurrency says", async () => {
  let active = 0;
  let most = 0;
  const methods = methodsOf(async () => {
    most = Math.max(most, ++active);
    await new Promise((resolve) => setImmediate(resolve));
    active--;
  });
  const pending = [0, 1, 2, 3, 4].map((index) =>
    pendingOf("deleteMany", { id: uuid(index) }, index),
  );
  const context = contextOf({ concurrency: 3 });
  const { results } = await sendChanges(changes.deleteMany, methods, pending, context);
  expect([results.size, most, context.used.announced]).toEqual([5, 3, 5]);
});

test.each([
  [404, true],
  [409, false],
])(
  "a %i after a broken request settles nothing: what is kept lets the list decide",
  async (status, isNotFound) => {
    const error = await failureOf(status);
    const change: PendingChange = { ...pendingOf("deleteMany"), doubt: "at_work" };
    const methods = methodsOf(() => {
      throw error;
    });
    const context = contextOf();
    const outcome = await sendChanges(changes.deleteMany, methods, [change], context);
    expect(outcome).toMatchObject({ results: new Map(), error });
    expect(change).toMatchObject({ rejection: error.message, isNotFound, doubt: "at_work" });
  },
);

test("a request that breaks leaves its device in doubt, and says whether it may be at work", async () => {
  const broken = await failureOf(502);
  const change = pendingOf("deleteMany");
  const methods = methodsOf(() => {
    throw broken;
  });
  const outcome = await sendChanges(changes.deleteMany, methods, [change], contextOf());
  expect(outcome).toMatchObject({ results: new Map(), error: broken });
  expect(change.doubt).toBe("broken");
  const late = await failureOf(504);
  const slow = methodsOf(() => {
    throw late;
  });
  await sendChanges(changes.deleteMany, slow, [change], contextOf());
  expect(change.doubt).toBe("at_work");
});

const device = (id: string, more: object = {}) => ({ id, active: true, labels: [], ...more });
const withLabel = { labels: [{ id: LABEL.toUpperCase(), name: "Pumps" }] };

test.each<[Name, object | undefined, boolean | undefined]>([
  ["deleteMany", undefined, true],
  ["deleteMany", {}, false],
  ["setActiveMany", { active: false }, true],
  ["setActiveMany", { active: true }, false],
  ["setActiveMany", undefined, false],
  ["addLabelMany", withLabel, true],
  ["addLabelMany", { labels: [{ id: OTHER }] }, false],
  ["addLabelMany", undefined, false],
  ["addLabelMany", { labels: null }, undefined],
  ["addLabelMany", { labels: [{ id: LABEL }, { id: 7 }] }, undefined],
  ["removeLabelMany", withLabel, false],
  ["removeLabelMany", { labels: [] }, true],
  ["removeLabelMany", undefined, false],
  ["removeLabelMany", { labels: "Pumps" }, undefined],
])("%s with the record %j in the list is done: %s", (name, record, isDone) => {
  const shown = record === undefined ? undefined : { ...device(DEVICE), ...record };
  expect(changes[name].isDone(shown, inputs[name] as never)).toBe(isDone);
});

const chunkOf = (...pending: PendingChange[]) => ({ pending }) as unknown as Chunk<PendingChange>;
const listOf = (...records: unknown[]) =>
  async function* () {
    yield* records;
  };
const knownOf = () => ({
  done: [] as PendingChange[],
  shown: new Set<string>(),
  sent: new Set<string>(),
});

test("a list is read with ids in any case, and what it must show is what was carried out", async () => {
  const known = { ...knownOf(), done: [pendingOf("addLabelMany")] };
  const pending = pendingOf("addLabelMany", { device_id: OTHER }, 1);
  const chunks = [chunkOf(pending)];
  const both = [device(DEVICE.toUpperCase(), withLabel), device(OTHER.toUpperCase(), withLabel)];
  const look = await lookForChanges(
    changes.addLabelMany,
    listOf(...both),
    { known, chunks },
    contextOf(),
  );
  expect([look.lags, look.isUnclear(pending)]).toEqual([false, false]);
  expect(look.resultOf(pending)).toEqual({ status: "done", index: 1, device_id: OTHER });
  expect(known.sent).toEqual(new Set([OTHER]));
  const behind = await lookForChanges(
    changes.addLabelMany,
    listOf(device(DEVICE), both[1]),
    { known, chunks },
    contextOf(),
  );
  expect(behind.lags).toBe(true);
  expect(behind.resultOf(pending)).toBeUndefined();
});

test("a rejected change is failed if its device is gone, and unknown if the list shows it", async () => {
  const pending = pendingOf("addLabelMany");
  const of = async (...records: unknown[]) =>
    (
      await lookForChanges(
        changes.addLabelMany,
        listOf(...records),
        { known: knownOf(), chunks: [chunkOf(pending)] },
        contextOf(),
      )
    ).rejectedOf(pending, "no");
  expect(await of()).toMatchObject({ status: "failed", reason: "rejected", error: "no" });
  expect(await of(device(DEVICE))).toMatchObject({
    status: "unknown",
    error: expect.stringContaining("the retry was rejected: no"),
  });
});

test.each<[string, Name, unknown[], boolean]>([
  ["that is empty", "deleteMany", [], true],
  ["that is empty", "removeLabelMany", [], false],
  ["that shows another device", "deleteMany", [device(OTHER)], false],
  ["with a record without an id", "deleteMany", [device(OTHER), {}], true],
  ["with a record without an id", "setActiveMany", [device(DEVICE), { id: 7 }], true],
  ["with labels that are not readable", "removeLabelMany", [device(DEVICE, { labels: 7 })], true],
])("a list %s lags for %s, or not: %j, %s", async (_what, name, records, lags) => {
  const all = { known: knownOf(), chunks: [chunkOf(pendingOf(name))] };
  const look = await lookForChanges(changes[name], listOf(...records), all, contextOf());
  expect(look.lags).toBe(lags);
});

test("a list that lacks a device of an earlier list lags, unless the run has changed that device", async () => {
  const all = { known: knownOf(), chunks: [chunkOf(pendingOf("deleteMany"))] };
  const read = async (...records: unknown[]) =>
    (await lookForChanges(changes.deleteMany, listOf(...records), all, contextOf())).lags;
  expect(await read(device(OTHER), device(uuid(1)))).toBe(false);
  expect(await read(device(OTHER))).toBe(true);
  all.known.sent.add(uuid(1));
  expect(await read(device(OTHER))).toBe(false);
  // Only a deletion needs to know the other devices.
  const labels = { known: knownOf(), chunks: [chunkOf(pendingOf("removeLabelMany"))] };
  await lookForChanges(changes.removeLabelMany, listOf(device(OTHER)), labels, contextOf());
  expect(labels.known.shown.size).toBe(0);
});

test("a removal is believed from the second look that agrees, and at once without settleTime", () => {
  const see = (change: PendingChange, settleTime: number, isIncomplete = false) =>
    lookAt(
      changes.deleteMany,
      { devices: new Map(), expected: [], pending: [change], isIncomplete },
      { settleTime },
    ).resultOf(change)?.status;
  const change = pendingOf("deleteMany");
  expect([see(change, 1, true), change.wasGone]).toEqual([undefined, undefined]);
  expect([see(change, 1), change.wasGone]).toEqual([undefined, true]);
  expect(see(change, 1, true)).toBeUndefined();
  expect(see(change, 1)).toBe("done");
  expect(see(pendingOf("deleteMany"), 0)).toBe("done");
  expect(see(pendingOf("deleteMany"), 0, true)).toBeUndefined();
});

test("a removal that was there again in between needs two looks again", () => {
  const change = pendingOf("deleteMany");
  const see = (...ids: string[]) =>
    lookAt(
      changes.deleteMany,
      {
        devices: new Map(ids.map((id) => [id, device(id)])),
        expected: [],
        pending: [change],
        isIncomplete: false,
      },
      { settleTime: 1 },
    ).resultOf(change)?.status;
  expect([see(), see(DEVICE), see(), see()]).toEqual([undefined, undefined, undefined, "done"]);
});

test("a removal that the console does not find is done, unless the list is behind", () => {
  const change = { ...pendingOf("deleteMany"), isNotFound: true };
  const done = pendingOf("deleteMany", { id: OTHER });
  const see = (devices: Map<string, object>) =>
    lookAt(
      changes.deleteMany,
      { devices: devices as never, expected: [done], pending: [change], isIncomplete: true },
      { settleTime: 1 },
    ).resultOf(change)?.status;
  expect(see(new Map())).toBe("done");
  expect(see(new Map([[OTHER, device(OTHER)]]))).toBeUndefined();
  expect(see(new Map([[DEVICE, device(DEVICE)]]))).toBeUndefined();
});
