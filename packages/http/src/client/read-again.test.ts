import { expect, test } from "vitest";
import { CallError, type CallContext } from "../errors/call-error.ts";
import { readAgain } from "./read-again.ts";

const errorWith = (context: Partial<CallContext>): CallError =>
  new CallError(
    {
      call: "devices.each",
      route: "GET /api/v1/devices",
      outcome: "unknown",
      attempts: [],
      recordsRead: 5,
      ...context,
    },
    "broke off.",
    "Call it again.",
  );

/** Reads a list that fails as the errors say, and then ends. Returns how often it was read, and what came of it. */
async function read(errors: readonly Error[], signal?: AbortSignal) {
  let reads = 0;
  const result = await readAgain(async () => {
    const error = errors[reads++];
    if (error !== undefined) throw error;
    return "the list";
  }, signal).catch((error: unknown) => error);
  return { reads, result };
}

test("a list that broke off is read again from its start, three times in all", async () => {
  const brokeOff = errorWith({});
  expect(await read([])).toEqual({ reads: 1, result: "the list" });
  expect(await read([brokeOff])).toEqual({ reads: 2, result: "the list" });
  expect(await read([brokeOff, brokeOff])).toEqual({ reads: 3, result: "the list" });
  expect(await read([brokeOff, brokeOff, brokeOff])).toEqual({ reads: 3, result: brokeOff });
});

test.each([
  ["one that returned nothing yet: the call has repeated its request", { recordsRead: undefined }],
  ["one that was refused", { outcome: "rejected" }],
  ["one that was not sent", { outcome: "not_sent" }],
] as const)("any other failure ends it: %s", async (_, context) => {
  const error = errorWith(context);
  expect(await read([error])).toEqual({ reads: 1, result: error });
});

test("an aborted list is not read again", async () => {
  const error = errorWith({});
  expect(await read([error], AbortSignal.abort())).toEqual({ reads: 1, result: error });
  expect((await read([error], new AbortController().signal)).reads).toBe(2);
});
