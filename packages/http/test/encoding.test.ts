import { expect, test } from "vitest";
import * as z from "zod/mini";
import { Secret } from "@fieldmesh/core";
import { secretInput } from "@fieldmesh/core/internal/schema";
import { bind, createTransport, endpoint, InputError, text } from "../src/internal.ts";
import { createThings, errorOf, thing } from "./things.ts";

const rows = {
  block: endpoint("GET /v1/blocks/:height", {
    path: { height: z.int() },
    result: text(),
  }),
  store: endpoint("POST /v1/blocks", {
    body: z.looseObject({ pin: z.optional(secretInput(z.string())) }),
    result: text(),
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

test("a path parameter accepts numbers", async () => {
  const { blocks, sent } = createBlocks();
  await blocks.block({ height: 1_000_000 });
  expect(sent[0]?.url).toBe("https://blocks.test/v1/blocks/1000000");
});

test("a Secret is sent as its value, also in an undeclared field", async () => {
  const { blocks, sent } = createBlocks();
  await blocks.store({ pin: new Secret("1234"), extra: { token: new Secret("t0ken") } });
  expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ pin: "1234", extra: { token: "t0ken" } });
});

test("integers of any size are sent exactly", async () => {
  const { blocks, sent } = createBlocks();
  await blocks.store({ amount: 12345678901234567890n });
  expect(sent[0]?.body).toBe('{"amount":12345678901234567890}');
});

test("half of a surrogate pair in a query is rejected, because encoding would change it", async () => {
  const things = createThings({ fetch: async () => Response.json([thing]) });
  const error = await errorOf(things.find({ name: "a\ud800" }));
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toContain("name: contains half of a surrogate pair");
});

test("an InputError lists at most 20 problems, and its message shows five of them", async () => {
  const row = endpoint("POST /v1/points", {
    body: z.object({ points: z.array(z.object({ x: z.int(), y: z.int() })) }),
    result: text(),
  });
  const service = { name: "points", readError: () => ({}) };
  const transport = createTransport(
    { baseUrl: "https://points.test" },
    { service, userAgent: "test/1" },
  );
  const { store } = bind("points", { store: row }, transport);
  const wrong = async (count: number): Promise<InputError> =>
    (await errorOf(
      store({ points: Array.from({ length: count }, () => ({}) as never) }),
    )) as InputError;

  const small = await wrong(10);
  expect(small.problems.map(({ path }) => path)).toEqual(
    Array.from({ length: 10 }, (_, index) => [`points[${index}].x`, `points[${index}].y`]).flat(),
  );
  expect(small.message).toContain(
    "points[1].y: is missing; points[2].x: is missing; and at least 15 more.",
  );
  const large = await wrong(100_000);
  expect(large.problems).toEqual([
    ...small.problems.slice(0, 19),
    { path: "", message: "has more problems, which are not listed" },
  ]);
  expect(large.message.length).toBe(small.message.length);
  const fields = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 1]));
  const { blocks } = createBlocks();
  const misspelt = await errorOf(blocks.block({ height: 1, ...fields }));
  expect(misspelt.message).toContain("f19, and 80 more");
});
