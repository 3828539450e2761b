import * as z from "zod/mini";
import { expect, test } from "vitest";
import { hasNoField, OWN_MESSAGES_ONLY, sayProblems, toProblems } from "./problem.ts";

const messageOf = (schema: z.core.$ZodType, value: unknown): string | undefined => {
  const { error } = z.safeParse(schema, value, OWN_MESSAGES_ONLY);
  return toProblems(error?.issues ?? [], value)[0]?.message;
};

test.for<[z.core.$ZodType, unknown, string]>([
  [z.string().check(z.minLength(3)), "ab", "must have at least 3 characters"],
  [z.array(z.string()).check(z.maxLength(1)), ["a", "b"], "must have at most 1 items"],
  [z.number().check(z.minimum(0)), -1, "must be at least 0"],
  [z.guid(), "x", "is not a valid UUID"],
  [z.string().check(z.minLength(1, "Must not be empty")), "", "must not be empty"],
  [z.guid(), 7, "expected string, got number"],
  [z.string().check(z.regex(/a/, "must hold an a")), "x", "must hold an a"],
  [z.string(), undefined, "is missing"],
  [z.string(), null, "expected string, got null"],
  [z.int(), Number.NaN, "expected number, got NaN"],
  [z.union([z.string(), z.number()]), undefined, "is missing"],
  [z.union([z.string(), z.number()]), true, "fits none of the allowed forms, got boolean"],
  [z.enum(["a", "b"]), undefined, "is missing"],
  [z.enum(["a", "b"]), "c", "expected one of a, b"],
  [z.number().check(z.multipleOf(2)), 3, "does not fit the schema"],
  [z.strictObject({}), { typo: 1 }, "has no field typo"],
])("a problem names the rule under any locale of zod: %#", ([schema, value, message]) => {
  expect(messageOf(schema, value)).toBe(message);
  z.config({ localeError: () => "quoted by the application" });
  try {
    expect(messageOf(schema, value)).toBe(message);
  } finally {
    z.config({ localeError: undefined });
  }
});

test("the path of a problem is written as in code, and hides names that may be values", () => {
  const pathOf = (path: readonly PropertyKey[]): string | undefined =>
    toProblems([{ message: "no", path }], {})[0]?.path;
  expect(pathOf(["devices", 3, "dev_eui"])).toBe("devices[3].dev_eui");
  expect(pathOf(["devices", "3"])).toBe("devices[3]");
  expect(pathOf([0, "id"])).toBe("[0].id");
  expect(pathOf(["2B7E151628AED2A6ABF7158809CF4F3C", "id"])).toBe("[…].id");
  expect(pathOf([])).toBe("");
  const [named] = toProblems([{ message: "no", path: [{ key: "a" }, { key: 1 }] }], {}, ["up"]);
  expect(named?.path).toBe("up.a[1]");
});

test("a problem of a caller's schema shows only its kind, not its message", () => {
  const message = "canary is not allowed";
  const say = (issue: object): string | undefined =>
    toProblems([{ message, ...issue }], "x", [], "hidden")[0]?.message;
  expect(say({})).toBe("does not fit the schema");
  expect(say({ code: "custom" })).toBe("does not fit the schema");
  expect(say({ code: "invalid_format", format: "uuid" })).toBe("is not a valid UUID");
  expect(say({ code: "invalid_format" })).toBe("is not a valid value");
  expect(toProblems([{ message: "Canary" }], "x")[0]?.message).toBe("canary");
});

test("a problem of a union is that of the intended member", () => {
  const schema = z.union([
    z.strictObject({ type: z.literal("a"), size: z.number() }),
    z.strictObject({ type: z.literal("b"), name: z.string(), size: z.number() }),
  ]);
  const { error } = z.safeParse(schema, { type: "b", size: 1 }, OWN_MESSAGES_ONLY);
  expect(toProblems(error?.issues ?? [], { type: "b", size: 1 }, ["list", 0])).toEqual([
    { path: "list[0].name", message: "is missing" },
  ]);
});

test("a problem names up to twenty unknown fields, and hides names that may be values", () => {
  const names = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `field_${index}`);
  expect(hasNoField(["a", "b"])).toBe("has no field a, b");
  expect(hasNoField(names(20))).toBe(`has no field ${names(20).join(", ")}`);
  expect(hasNoField(names(22))).toBe(`has no field ${names(20).join(", ")}, and 2 more`);
  expect(hasNoField(["\uFEFFname"])).toBe("has no field \\uFEFFname");
  const hidden = "not shown, which may be values: is the header line of a table missing?";
  expect(hasNoField(["a", "2B7E151628AED2A6ABF7158809CF4F3C"])).toBe(
    `has no field a, (1 ${hidden})`,
  );
});

test("a message shows five problems and the number of the others", () => {
  const problems = Array.from({ length: 7 }, (_, index) => ({
    path: `a[${index}]`,
    message: "no",
  }));
  expect(sayProblems([{ path: "", message: "no" }])).toBe("no");
  expect(sayProblems(problems.slice(0, 5))).toBe(
    "a[0]: no; a[1]: no; a[2]: no; a[3]: no; a[4]: no",
  );
  expect(sayProblems(problems)).toContain("a[4]: no; ");
  expect(sayProblems(problems)).not.toContain("a[5]");
  expect(sayProblems(problems)).toContain("2 more");
});

test.each<[unknown, readonly PropertyKey[], string]>([
  [{ a: { b: 7 } }, ["a", "b"], "expected string, got number"],
  [{ a: null }, ["a", "b"], "is missing"],
  [null, ["a", "b"], "is missing"],
  [null, [], "expected string, got null"],
])(
  "a problem takes the wrong value from the path if the library does not name it: %j %j",
  (value, path, message) => {
    const issue = { message: "", code: "invalid_type", expected: "string", path };
    expect(toProblems([issue], value)[0]?.message).toBe(message);
  },
);
