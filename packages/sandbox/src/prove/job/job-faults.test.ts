import { expect, test } from "vitest";
import { broken, cutOff, failed } from "./job-faults.ts";

/** Reads a body until it ends or breaks. */
async function read({ body }: Response) {
  let text = "";
  try {
    for await (const chunk of body ?? []) text += new TextDecoder().decode(chunk as Uint8Array);
    return { text };
  } catch (error) {
    return { text, error: String(error) };
  }
}

const error = "TypeError: fetch failed";

test.each([
  ["", { text: "", error }],
  ["a", { text: "", error }],
  ["ab", { text: "a", error }],
  ["abcde", { text: "ab", error }],
])("a response that breaks off has half of the body %j", async (body, expected) => {
  expect(await read(await cutOff(new Response(body)))).toEqual(expected);
});

test("a response that breaks off keeps its status and headers", async () => {
  const cut = await cutOff(new Response("{}", { status: 201, headers: { "x-request-id": "1" } }));
  expect([cut.status, cut.headers.get("x-request-id")]).toEqual([201, "1"]);
});

test("a response without a body is not cut off", async () => {
  const cut = await cutOff(new Response(null, { status: 204 }));
  expect([cut.status, await read(cut)]).toEqual([204, { text: "" }]);
});

test.each([
  [429, [["retry-after", "1"]]],
  [500, []],
])("a service that fails with %d names a wait only if it limits", async (status, headers) => {
  const response = failed(status);
  expect([response.status, [...response.headers]]).toEqual([status, headers]);
  expect(await read(response)).toEqual({ text: "" });
});

test("a connection that breaks throws the error of fetch", () => {
  expect(broken()).toEqual(new TypeError("fetch failed"));
});
