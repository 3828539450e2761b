import * as tables from "@fieldmesh/console-client/endpoints";
import { expectTypeOf, test } from "vitest";
import { serve } from "./serve.ts";

test("an implementation is typed by the wire's side of its row", () => {
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

test("an answer that the row does not know does not compile", () => {
  // @ts-expect-error -- dc_balance is a number
  serve(tables, { organization: { list: () => [{ id: "a", name: "b", dc_balance: "1" }] } });
  // @ts-expect-error -- the answer is a text
  serve(tables, { devices: { delete: () => ({ deleted: true }) } });
  // @ts-expect-error -- there is no such row
  serve(tables, { devices: { destroy: () => "gone" } });
});
