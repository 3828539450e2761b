import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testContext } from "../testing/context.ts";
import { UsageError } from "../command-error.ts";
import { arrivalOptions, readSavedDelivery } from "./saved-delivery.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";

const folder = temporaryFolder(afterAll);

function save(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const body = save("body.json", new Uint8Array([0, 255, 13, 10]));
const read = (options: Record<string, string>) =>
  readSavedDelivery(testContext(), { arguments: [], options });
async function headersOf(text: string): Promise<Record<string, string>> {
  const { headers } = await read({ headers: save("headers.txt", text), body });
  return Object.fromEntries(headers as Headers);
}

test("the body is read byte for byte", async () => {
  const saved = await read({ headers: save("none.txt", ""), body });
  expect(saved.body).toEqual(new Uint8Array([0, 255, 13, 10]));
  expect([...(saved.headers as Headers)]).toEqual([]);
});

test.each<[string, string, Record<string, string>]>([
  ["lines", "A: 1\nB: 2", { a: "1", b: "2" }],
  ["lines of a saved request", "POST /hooks HTTP/1.1\r\nA: 1\r\n\r\n", { a: "1" }],
  ["lines with blanks", "\n  A :  1 \t\n \nB:2", { a: "1", b: "2" }],
  ["a value with a colon", "a: http://x.test:1/", { a: "http://x.test:1/" }],
  ["no value", "a:", { a: "" }],
  ["a value like a request line", "x-note: GET / HTTP/1.1", { "x-note": "GET / HTTP/1.1" }],
  ["a value like JSON", 'a: {"b":1}', { a: '{"b":1}' }],
  ["a name that comes twice", "a: 1\na: 2", { a: "1, 2" }],
  ["a request line with a colon", "GET http://x.test/ HTTP/1.1\na: 1", { a: "1" }],
  ["JSON", '{"A":"1","b":2}', { a: "1", b: "2" }],
  ["JSON after blanks", ' \n{"a":"1"}', { a: "1" }],
  ["JSON with lists", '{"a":["1","2"],"b":[]}', { a: "1, 2" }],
  ["an empty object", "{}", {}],
])("headers may be %s", async (_what, text, headers) => {
  expect(await headersOf(text)).toEqual(headers);
});

test.each([
  ["a line without a colon", "a: 1\nhello"],
  ["a line without a name", ": 1"],
  ["the pseudo-header of HTTP/2", ":method: POST"],
  ["a name with a blank", "a b: 1"],
  ["a request line in lower case", "post /hooks HTTP/1.1"],
  ["a request line without its version", "POST /hooks"],
  ["words before a request line", "x POST /hooks HTTP/1.1"],
  ["half of an object", '{"a":'],
  ["a list", '["a: 1"'],
])("%s is rejected with the form of a line, and is not quoted", async (_what, text) => {
  await expect(headersOf(text)).rejects.toThrow(
    new UsageError(
      'The --headers file needs lines such as "Platform-Signature: t=…", or a JSON object.',
    ),
  );
});

test("the error for a missing name of a file is that for an empty one", async () => {
  const headers = save("none.txt", "");
  for (const options of [{ body }, { body, headers: "" }])
    await expect(read(options)).rejects.toThrow(
      new UsageError("The file does not exist: --headers needs the name of a file."),
    );
  for (const options of [{ headers }, { headers, body: "" }])
    await expect(read(options)).rejects.toThrow(
      new UsageError("The file does not exist: --body needs the name of a file."),
    );
});

test("without --at, a delivery may have any age; with it, the clock is the time of arrival", () => {
  expect(arrivalOptions({ arguments: [], options: {} })).toEqual({ tolerance: Infinity });
  const { now, ...rest } = arrivalOptions({
    arguments: [],
    options: { at: "2026-11-20T08:30:00Z" },
  });
  expect(now?.()).toBe(Date.parse("2026-11-20T08:30:00Z"));
  expect(rest).toEqual({});
  for (const at of ["", "yesterday"])
    expect(() => arrivalOptions({ arguments: [], options: { at } })).toThrow(
      new UsageError(
        "--at is not a time such as 2026-11-20T08:30:00Z or 2026-11-20. Pass the time of arrival.",
      ),
    );
});
