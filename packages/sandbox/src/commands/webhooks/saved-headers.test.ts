import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testContext } from "../testing/context.ts";
import { UsageError } from "../command-error.ts";
import { readSavedDelivery } from "./saved-delivery.ts";
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
