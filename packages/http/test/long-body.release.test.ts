import { expect, test } from "vitest";
import type { FetchFunction, ResponseValidationError } from "../src/internal.ts";
import { createThings, errorOf, eachThing, thing } from "./things.ts";

/** Less than 1 MiB with its record, which is the limit of a record. */
const GAP = 1_000_000;
/** More than the longest string of Node together, 2^29 - 24 characters. */
const RECORDS = 540;

/** Responds with a list whose records are far apart. */
function respondLong(requests: { count: number }): FetchFunction {
  const encoder = new TextEncoder();
  const part = encoder.encode(`${" ".repeat(GAP)}${JSON.stringify(thing)}`);
  return async () => {
    requests.count++;
    let sent = 0;
    return new Response(
      new ReadableStream({
        pull(controller) {
          controller.enqueue(encoder.encode(sent === 0 ? "[" : ","));
          controller.enqueue(part);
          if (++sent < RECORDS) return;
          controller.enqueue(encoder.encode("]"));
          controller.close();
        },
      }),
    );
  };
}

test("a body longer than the longest string is a final error, and the same list is read one by one", async () => {
  const requests = { count: 0 };
  const options = { fetch: respondLong(requests) };
  const list = createThings(options).list({ maxResponseBytes: 2 ** 30 });
  const error = await errorOf<ResponseValidationError>(list);
  expect(error.message).toContain("is longer than the longest string of this runtime");
  expect(error.outcome).toBe("applied");
  expect(requests.count).toBe(1);
  let count = 0;
  for await (const each of eachThing(options)) count += each.id;
  expect(count).toBe(RECORDS * thing.id);
});
