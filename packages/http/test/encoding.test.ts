import { expect, test } from "vitest";
import * as z from "zod/mini";
import { Secret } from "@fieldmesh/core";
import { secretInput } from "@fieldmesh/core/schema";
import { bind, createTransport, endpoint, isInputError, text } from "../src/index.ts";
import { createThings, errorOf, thing } from "./things.ts";

const rows = {
  block: endpoint("GET /v1/blocks/:height", {
    path: { height: z.int() },
    result: text(),
    sample: { input: { height: 1 }, output: "one" },
  }),
  store: endpoint("POST /v1/blocks", {
    body: z.looseObject({ pin: z.optional(secretInput(z.string())) }),
    result: text(),
    sample: { input: {}, output: "stored" },
  }),
};

function createBlocks() {
  const sent: { url: string; body: string | undefined }[] = [];
  const fetch = async (url: string, { body }: { body?: string }): Promise<Response> => {
    sent.push({ url, body });
    return new Response("done");
  };
  const service = { name: "blocks", readError: () => ({}) };
  const options = { baseUrl: "https://blocks.test", fetch };
  const transport = createTransport(options, { service, userAgent: "test/1" });
  return { sent, blocks: bind("blocks", rows, transport) };
}

test("a path takes numbers as well", async () => {
  const { blocks, sent } = createBlocks();
  await blocks.block({ height: 1_000_000 });
  expect(sent[0]?.url).toBe("https://blocks.test/v1/blocks/1000000");
});

test("a Secret arrives revealed, also in a field that nobody declared", async () => {
  const { blocks, sent } = createBlocks();
  await blocks.store({ pin: new Secret("1234"), extra: { token: new Secret("t0ken") } });
  expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ pin: "1234", extra: { token: "t0ken" } });
});

test("integers of any size are written exactly", async () => {
  const { blocks, sent } = createBlocks();
  await blocks.store({ amount: 12345678901234567890n });
  expect(sent[0]?.body).toBe('{"amount":12345678901234567890}');
});

test("a body that holds itself is refused before anything is sent", async () => {
  const { blocks, sent } = createBlocks();
  const body: Record<string, unknown> = { name: "one" };
  body["self"] = { body };
  const error = await errorOf(blocks.store(body));
  expect(isInputError(error)).toBe(true);
  expect(error.message).toContain("cannot be written as JSON");
  expect(sent).toEqual([]);
});

test("half of a surrogate pair in a query is refused, because it could only be sent changed", async () => {
  const things = createThings({ fetch: async () => Response.json([thing]) });
  const error = await errorOf(things.find({ name: "a\ud800" }));
  expect(isInputError(error)).toBe(true);
  expect(error.message).toContain("name: holds half of a surrogate pair");
});
