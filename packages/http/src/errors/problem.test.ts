import * as z from "zod/mini";
import { expect, test } from "vitest";
import { OWN_MESSAGES_ONLY, toProblems } from "./problem.ts";

const messageOf = (schema: z.core.$ZodType, value: unknown): string | undefined => {
  const { error } = z.safeParse(schema, value, OWN_MESSAGES_ONLY);
  return toProblems(error?.issues ?? [], value)[0]?.message;
};

test.for<[z.core.$ZodType, unknown, string]>([
  [z.string().check(z.minLength(3)), "ab", "must have at least 3 characters"],
  [z.array(z.string()).check(z.maxLength(1)), ["a", "b"], "must have at most 1 items"],
  [z.number().check(z.minimum(0)), -1, "must be at least 0"],
  [z.number().check(z.lt(5)), 5, "must be less than 5"],
  [z.guid(), "x", "is not a valid UUID"],
  [z.string().check(z.minLength(1, "Must not be empty")), "", "must not be empty"],
])("a rule is named whatever locale zod has: %#", ([schema, value, message]) => {
  expect(messageOf(schema, value)).toBe(message);
  z.config({ localeError: () => "quoted by the application" });
  try {
    expect(messageOf(schema, value)).toBe(message);
  } finally {
    z.config({ localeError: undefined });
  }
});
