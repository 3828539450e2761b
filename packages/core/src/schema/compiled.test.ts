import { execFileSync } from "node:child_process";
import * as z from "zod/mini";
import { expect, test } from "vitest";
import {
  bigInteger,
  compiled,
  countRecords,
  firstOf,
  oneOrMany,
  openEnum,
  record,
  secret,
} from "./index.ts";

const MANY = 300;
const reward = record({
  type: z.literal("reward"),
  amount: bigInteger(),
  key: z.nullish(secret()),
});
const refund = record({ type: openEnum("refund"), amount: z.optional(bigInteger()) });

const schemas: Record<string, z.core.$ZodType> = {
  "a record": reward,
  "a union of records": record({ data: z.array(z.union([reward, refund])) }),
  "one or many": oneOrMany(reward),
  "the first of many": firstOf(refund),
};

const values = [
  { type: "reward", amount: 5, extra: { kept: true } },
  { type: "reward", amount: "12345678901234567890", key: "k3y" },
  { type: "reward", amount: 1.5, key: 7 },
  { type: "refund" },
  [],
  [{ type: "reward", amount: 5 }],
  {
    data: [
      { type: "reward", amount: 5 },
      { type: "new", more: 1 },
    ],
  },
  { data: [{ type: 1 }, null] },
  null,
  "text",
];

test.for(Object.entries(schemas))(
  "%s returns the same output and issues compiled and plain, and does not change its input",
  async ([, schema]) => {
    await countRecords(MANY);
    const generated = compiled(schema);
    expect(generated).not.toBe(schema);
    const results = values.map((value) => {
      const before = structuredClone(value);
      const fast = z.safeParse(generated, value);
      const slow = z.safeParse(schema, value);
      expect(fast.data).toEqual(slow.data);
      expect(fast.error?.issues).toEqual(slow.error?.issues);
      expect(value).toEqual(before);
      return fast.success;
    });
    expect(new Set(results)).toEqual(new Set([true, false]));
  },
);

test("a schema is compiled once", async () => {
  await countRecords(MANY);
  expect(compiled(reward)).toBe(compiled(reward));
});

/** Prints whether a schema was compiled, what it returns and what it rejects. */
const PROGRAM = `
  import * as z from "zod/mini";
  import { compiled, countRecords, record } from "./index.ts";
  const made = [];
  globalThis.Function = new Proxy(Function, { construct: (target, args) => { made.push(args); return new target(...args); } });
  if (process.argv.includes("jitless")) z.config({ jitless: true });
  const schema = record({ size: z.number() });
  const before = [countRecords(299), compiled(schema) === schema];
  await countRecords(1);
  const generated = compiled(schema);
  const results = [{ size: 1, more: 2 }, { size: "1" }].map((value) => z.safeParse(generated, value));
  console.log(JSON.stringify({ before, isCompiled: generated !== schema, made: made.length > 0, results }));
`;

function run(flags: string[], args: string[] = []): Record<string, unknown> {
  const options = {
    cwd: import.meta.dirname,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  } as const;
  const printed = execFileSync(
    process.execPath,
    [...flags, "--input-type=module", "-e", PROGRAM, ...args],
    options,
  );
  return JSON.parse(printed) as Record<string, unknown>;
}

test("a schema stays plain until many records were decoded, and where code generation is forbidden", () => {
  const usual = run([]);
  expect(usual).toMatchObject({ before: [null, true], isCompiled: true, made: true });
  const plain = run(["--disallow-code-generation-from-strings"]);
  expect(plain).toEqual({ ...usual, isCompiled: false, made: true });
});

test("it never tries to generate code in an application that sets zod to jitless", () => {
  expect(run([], ["jitless"])).toMatchObject({ isCompiled: false, made: false });
});
