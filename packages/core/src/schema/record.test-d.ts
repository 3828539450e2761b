import * as z from "zod/mini";
import { expectTypeOf, test } from "vitest";
import type { Secret } from "../secret.ts";
import { bigInteger, openEnum, record, secret, secretInput } from "./index.ts";

const Thing = record({ kind: openEnum("a", "b"), key: secret(), amount: bigInteger() });

test("the user's side has Secrets and bigints, the wire's has text and numbers", () => {
  expectTypeOf<z.output<typeof Thing>["key"]>().toEqualTypeOf<Secret>();
  expectTypeOf<z.output<typeof Thing>["amount"]>().toEqualTypeOf<bigint>();
  expectTypeOf<z.input<typeof Thing>["key"]>().toEqualTypeOf<string>();
  const input = secretInput(z.string());
  expectTypeOf<z.output<typeof input>>().toEqualTypeOf<string | Secret>();
});

test("a typo in a field is an error although unknown fields are kept", () => {
  const thing = {} as z.output<typeof Thing>;
  // @ts-expect-error a typo
  void thing.kidn;
});

test("an open enum keeps its known values and takes others", () => {
  const thing = {} as z.output<typeof Thing>;
  thing.kind = "a";
  thing.kind = "new";
  // @ts-expect-error no text
  thing.kind = 1;
});
