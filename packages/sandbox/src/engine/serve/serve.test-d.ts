import * as tables from "@fieldmesh/console-client/endpoints";
import { endpoint } from "@fieldmesh/http/internal";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import { type CompleteImplementation, serve } from "./serve.ts";
import { withSamples } from "./with-samples.ts";

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

test("a row without an example does not compile, nor does an example without a row or of another type", () => {
  const list = { input: {}, output: [{ id: "a" }] };
  const get = { input: { id: "a" }, output: { id: "a" } };
  const sampled = withSamples(thingTables, { things: { list, get } });
  expectTypeOf(sampled.things.get.sample.output).toEqualTypeOf<{ id: string }>();
  // @ts-expect-error -- get has no example
  withSamples(thingTables, { things: { list } });
  // @ts-expect-error -- it has no row
  withSamples(thingTables, { things: { list, get, find: get } });
  // @ts-expect-error -- the id is a string
  withSamples(thingTables, { things: { list, get: { ...get, output: { id: 1 } } } });
  // @ts-expect-error -- things has no examples
  withSamples(thingTables, {});
});

const Thing = z.object({ id: z.string() });
const thingTables = {
  things: {
    list: endpoint("GET /v1/things", {
      result: z.array(Thing),
    }),
    get: endpoint("GET /v1/things/:id", {
      path: { id: z.string() },
      result: Thing,
    }),
  },
};
