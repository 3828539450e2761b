import * as tables from "@fieldmesh/console-client/endpoints";
import { endpoint } from "@fieldmesh/http";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import { type CompleteImplementation, serve } from "./serve.ts";

test("an implementation has the wire types of its row", () => {
  serve(tables, {
    devices: {
      create: (input) => {
        expectTypeOf(input.app_key).toEqualTypeOf<string>();
        expectTypeOf(input.label_ids).toEqualTypeOf<string[] | undefined>();
        return new Response();
      },
      delete: ({ id }) => `${id} deleted`,
    },
  });
});

test("a response of another type than that of the row does not compile", () => {
  // @ts-expect-error -- dc_balance is a number
  serve(tables, { organization: { list: () => [{ id: "a", name: "b", dc_balance: "1" }] } });
  // @ts-expect-error -- the response is a string
  serve(tables, { devices: { delete: () => ({ deleted: true }) } });
  // @ts-expect-error -- there is no such row
  serve(tables, { devices: { destroy: () => "gone" } });
});

test("a complete implementation without a row or a resource does not compile", () => {
  const thing = { list: () => [{ id: "a" }], get: () => ({ id: "a" }) };
  const complete = { things: thing } satisfies CompleteImplementation<typeof thingTables>;
  expectTypeOf(complete).toExtend<CompleteImplementation<typeof thingTables>>();
  // @ts-expect-error -- get is missing
  void ({ things: { list: thing.list } } satisfies CompleteImplementation<typeof thingTables>);
  // @ts-expect-error -- things is missing
  void ({} satisfies CompleteImplementation<typeof thingTables>);
  // A stub may omit both.
  serve(thingTables, { things: { list: thing.list } });
  serve(thingTables);
});

const Thing = z.object({ id: z.string() });
const sample = { id: "a" };
const thingTables = {
  things: {
    list: endpoint("GET /v1/things", {
      result: z.array(Thing),
      sample: { input: {}, output: [sample] },
    }),
    get: endpoint("GET /v1/things/:id", {
      path: { id: z.string() },
      result: Thing,
      sample: { input: sample, output: sample },
    }),
  },
};
