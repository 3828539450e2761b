import { expect, test } from "vitest";
import { answering, errorOf, ids } from "../../../test/answering.ts";
import { contextOf } from "../../../test/run-context.ts";
import { changes, type PendingChange } from "./change-rows.ts";
import { lookUpChanges } from "./look-up-changes.ts";
import { readChange } from "../change/send-changes.ts";
import type { Chunk } from "../run/run-parts.ts";

const failureOf = (status: number, body: unknown = ""): Promise<Error> =>
  errorOf(answering(body, { status }).client.devices.delete({ id: ids.device }));
const uuid = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const labelled = (number: number): PendingChange =>
  readChange(
    changes.addLabelMany,
    { device_id: uuid(number), label: uuid(0) },
    number,
  ) as PendingChange;

test("changes are looked up once for each device, with the last five that were carried out", async () => {
  const context = contextOf();
  const asked: string[] = [];
  const options: unknown[] = [];
  const get = async ({ device_id }: { device_id: string }, given: object): Promise<unknown> => {
    asked.push(device_id);
    options.push(given);
    if (device_id === uuid(2)) throw await failureOf(404);
    return { id: device_id, labels: [{ id: uuid(0) }] };
  };
  const done = [3, 4, 5, 6, 7, 8].map(labelled);
  const known = { done, shown: new Set<string>(), sent: new Set<string>() };
  const pending = [labelled(1), labelled(1), labelled(2)];
  const chunks = [{ pending }] as unknown as Chunk<PendingChange>[];
  const look = await lookUpChanges(changes.addLabelMany, get, { known, chunks }, context);
  expect(asked.toSorted()).toEqual([1, 2, 4, 5, 6, 7, 8].map(uuid));
  expect(options[0]).toEqual({
    signal: undefined,
    timeout: 1_000,
    totalTimeout: 2_000,
    priority: "background",
  });
  expect(context.used.waits[0]?.why).toBe("devices.get has not responded yet");
  expect(look?.lags).toBe(false);
  expect(look?.resultOf(pending[0]!)?.status).toBe("done");
  expect(look?.resultOf(pending[2]!)).toBeUndefined();
  const ofActive = await lookUpChanges(changes.setActiveMany, get, { known, chunks }, context);
  expect(ofActive).toBeUndefined();
});

test.each([
  [100, true],
  [101, false],
])("%i changes are looked up: %s", async (count, isLookedUp) => {
  const pending = Array.from({ length: count }, (_, number) => labelled(number));
  const known = { done: [], shown: new Set<string>(), sent: new Set<string>() };
  const chunks = [{ pending }] as unknown as Chunk<PendingChange>[];
  const look = await lookUpChanges(
    changes.addLabelMany,
    async () => ({}),
    { known, chunks },
    contextOf(),
  );
  expect(look !== undefined).toBe(isLookedUp);
});

test("a look-up that fails is none, unless the run was aborted or the error is unexpected", async () => {
  const known = { done: [], shown: new Set<string>(), sent: new Set<string>() };
  const all = { known, chunks: [{ pending: [labelled(1)] }] as unknown as Chunk<PendingChange>[] };
  const lookUp = (error: Error, signal?: AbortSignal) =>
    lookUpChanges(changes.addLabelMany, () => Promise.reject(error), all, contextOf({ signal }));
  const failure = await failureOf(502);
  expect(await lookUp(failure)).toBeUndefined();
  await expect(lookUp(failure, AbortSignal.abort())).rejects.toBe(failure);
  const odd = new Error("odd");
  await expect(lookUp(odd)).rejects.toBe(odd);
});
