import { expect, test } from "vitest";
import * as z from "zod";
import { Secret } from "@fieldmesh/core";
import { bigInteger, oneOrMany, record, secret } from "@fieldmesh/core/internal/schema";
import {
  bind,
  createTransport,
  endpoint,
  ResponseValidationError,
  type ClientOptions,
  type Drift,
} from "../src/internal.ts";
import { everythingPrinted } from "../../../tools/testing/canary.ts";
import { createThings, errorOf, thing } from "./things.ts";

const orders = {
  list: endpoint("GET /v1/orders", {
    result: oneOrMany(record({ id: z.int(), name: z.string() })),
  }),
};

function createOrders(body: unknown, options: Partial<ClientOptions> = {}) {
  const fetch = async (): Promise<Response> => Response.json(body);
  const init = { service: { name: "orders", readError: () => ({}) }, userAgent: "test/1" };
  const transport = createTransport({ baseUrl: "https://orders.test", fetch, ...options }, init);
  return bind("orders", orders, transport);
}

test("a problem names the type of the value, even after a codec has moved it", async () => {
  const error = await errorOf<Error & { problems: unknown }>(
    createOrders({ id: 1, name: 7 }).list(),
  );
  expect(error.problems).toEqual([{ path: "[0].name", message: "expected string, got number" }]);
});

test.for([
  ["a page whose data is null", { data: null, cursor: "next" }],
  ["a string", "busy"],
  ["a page whose cursor is not a string", { data: [thing], cursor: { canary: 1 } }],
] as const)(
  "warn: %s in place of a page is an error, because the walk would end too early",
  async ([, body]) => {
    const drifts: unknown[] = [];
    const things = createThings({
      validation: "warn",
      onDrift: (drift) => drifts.push(drift),
      fetch: async () => Response.json(body),
    });
    const error = await errorOf(things.walk().page());
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(everythingPrinted(error)).not.toMatch(/canary/);
  },
);

test("warn: a page keeps the records after one that does not match", async () => {
  const things = createThings({
    validation: "warn",
    fetch: async () => Response.json({ data: [thing, { ...thing, name: 7 }] }),
  });
  expect((await things.walk().page()).items).toEqual([thing, { ...thing, name: 7 }]);
});

test("the errors of a pager do not print the cursor, which contains the query", async () => {
  const looping = createThings({
    fetch: async () => Response.json({ data: [thing], cursor: "canary-cursor" }),
  });
  const empty = createThings({
    fetch: async (url) =>
      Response.json({ data: [], cursor: `canary-${Number(/\d+$/.exec(url)?.[0] ?? 0) + 1}` }),
  });
  const errors = [
    await errorOf<Error & { cursor: string }>(looping.walk().toArray({ limit: 9 })),
    await errorOf<Error & { cursor: string }>(
      empty.walk({}, { maxEmptyPages: 2 }).toArray({ limit: 9 }),
    ),
  ];
  expect(errors.map(({ name, cursor }) => [name, cursor])).toEqual([
    ["CursorLoopError", "canary-cursor"],
    ["TooManyEmptyPagesError", "canary-3"],
  ]);
  for (const error of errors)
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/canary/);
});

test("warn: a record that does not match leaves the records before it unchanged", async () => {
  const paid = record({ type: z.literal("paid"), amount: bigInteger(), token: secret() });
  const open = record({ type: z.literal("open"), amount: bigInteger() });
  const bills = {
    list: endpoint("GET /v1/bills", {
      result: record({ data: z.array(z.union([paid, open])) }),
    }),
  };
  const drifts: Drift[] = [];
  const fetch = async (): Promise<Response> =>
    Response.json({
      data: [
        { type: "paid", amount: 5, token: "canary" },
        { type: "open", amount: 6 },
        { type: "open", amount: "six" },
      ],
    });
  const transport = createTransport(
    {
      baseUrl: "https://bills.test",
      fetch,
      validation: "warn",
      onDrift: (one) => drifts.push(one),
    },
    { service: { name: "bills", readError: () => ({}) }, userAgent: "test/1" },
  );
  const { data } = await bind("bills", bills, transport).list();
  expect(data).toEqual([
    { type: "paid", amount: 5n, token: expect.any(Secret) },
    { type: "open", amount: 6n },
    { type: "open", amount: "six" },
  ]);
  expect(drifts.flatMap(({ problems }) => problems.map(({ path }) => path))).toEqual([
    "data[2].amount",
  ]);
});
