import { expect, expectTypeOf, test } from "vitest";
import {
  aFunction,
  aString,
  oneOf,
  options,
  trueOrFalse,
  UNREADABLE,
  wholeNumber,
  withMethods,
  type OptionTable,
  checkNames,
  nearest,
} from "./internal.ts";

interface Lease {
  readonly id: string;
  readonly duration?: number | undefined;
}
interface RunOptions {
  readonly store: Map<string, string>;
  readonly mode?: "fast" | "safe" | "dry" | undefined;
  readonly retry?: boolean | undefined;
  readonly onEnd?: ((count: number) => void) | undefined;
  readonly lease?: Lease | undefined;
}

const isStore = withMethods("a store, such as new Map()", "get", "set");
const table: OptionTable<RunOptions> = {
  store: { required: isStore },
  mode: oneOf("fast", "safe", "dry"),
  retry: trueOrFalse,
  onEnd: aFunction,
  lease: options<Lease>("lease", {
    id: { required: aString },
    duration: wholeNumber(1, 60, "seconds"),
  }),
};
const read = options<RunOptions>("run", table);
const store = new Map<string, string>();

test("an option without a row does not compile, nor a row without an option or with another type", () => {
  // @ts-expect-error -- duration has no row
  options<Lease>("lease", { id: { required: aString } });
  // @ts-expect-error -- name is not an option
  options<Lease>("lease", { id: { required: aString }, duration: wholeNumber(1), name: aString });
  // @ts-expect-error -- duration is a number
  options<Lease>("lease", { id: { required: aString }, duration: aString });
  // @ts-expect-error -- id is required
  options<Lease>("lease", { id: aString, duration: wholeNumber(1) });
  expectTypeOf(read({ store })).toEqualTypeOf<RunOptions>();
});

test("returns the options that are set, inherited ones included, and reads each once", () => {
  let reads = 0;
  const inherited = { lease: { id: "a", duration: undefined } };
  const given = Object.create(inherited, {
    store: { enumerable: true, get: () => (reads++, store) },
    mode: { enumerable: true, value: undefined },
    agent: { enumerable: true, value: undefined },
  }) as object;
  expect(read(given)).toEqual({ store, lease: { id: "a" } });
  expect(Object.keys(read({ store, mode: undefined }))).toEqual(["store"]);
  expect(reads).toBe(1);
});

test("a check receives the owner of its table", () => {
  const id = { required: (_value: unknown, name: string, owner: string) => `${name} of ${owner}` };
  expect(options<{ id: string }>("A run", { id })({})).toEqual({ id: "id of A run" });
});

test("options may be left out together if none is required", () => {
  expect(options<Pick<RunOptions, "mode">>("walk", { mode: oneOf("fast") })(undefined)).toEqual({});
});

test.each<[string, unknown, string]>([
  ["no options", undefined, "run requires an object of options, such as { store }, not undefined."],
  ["a string", "s3cret", "run requires an object of options, such as { store }, not a string."],
  ["a similar name", { store, onEnt: 1 }, 'run has no option "onEnt". Did you mean "onEnd"?'],
  [
    "another name",
    { store, agent: 1 },
    'run has no option "agent". Its options are store, mode, retry, onEnd, lease.',
  ],
  ["no store", {}, "store must be a store, such as new Map(); it is undefined."],
  ["another store", { store: [] }, "store must be a store, such as new Map(); it is an array."],
  ["a mode", { store, mode: "x" }, 'mode must be "fast", "safe" or "dry"; it is a string.'],
  [
    "a string for a boolean",
    { store, retry: "no" },
    "retry must be true or false; it is a string.",
  ],
  ["a function", { store, onEnd: {} }, "onEnd must be a function; it is an object."],
  [
    "a null within",
    { store, lease: null },
    "lease requires an object of options, such as { id }, not null.",
  ],
  ["no id within", { store, lease: {} }, "lease.id must be a non-empty string; it is undefined."],
  [
    "a number within",
    { store, lease: { id: "a", duration: 0.5 } },
    "lease.duration must be an integer from 1 to 60, in seconds; it is 0.5.",
  ],
  [
    "a getter that throws a TypeError",
    {
      store,
      get mode() {
        throw new TypeError("canary");
      },
    },
    `The options of run ${UNREADABLE}`,
  ],
])("says what to write instead of %s", (_, given, message) => {
  expect(() => read(given)).toThrow(new TypeError(message));
});

const names = ["timeout", "totalTimeout", "headers"];
const check = (given: object) => checkNames("A client", given, names);

test("suggests the option with the most similar name", () => {
  expect(() => check({ timeOut: 1 })).toThrow(
    new TypeError('A client has no option "timeOut". Did you mean "timeout"?'),
  );
});

test("lists the options if none is similar", () => {
  expect(() => check({ agent: {} })).toThrow(
    'A client has no option "agent". Its options are timeout, totalTimeout, headers.',
  );
});

test("ignores undefined values, symbols and inherited names", () => {
  expect(() =>
    check(
      Object.assign(Object.create({ agent: 1 }), { timeout: 1, agent: undefined, [Symbol()]: 1 }),
    ),
  ).not.toThrow();
});

test("suggests nothing for a different word", () => {
  expect(nearest("abort", names)).toBeUndefined();
  expect(nearest("header", names)).toBe("headers");
});

test("accepts only an object as options", () => {
  expect(() => check("5s" as never)).toThrow(
    new TypeError("A client requires an object of options, such as { timeout }, not a string."),
  );
});

test.for([
  ["heders", "headers"],
  ["hedrs", undefined],
  ["headerz", "headers"],
  ["xheaders", "headers"],
  ["timout", "timeout"],
  ["totlTimeot", "totalTimeout"],
  ["totlTimoot", "totalTimeout"],
  ["ttlTimout", "totalTimeout"],
  ["ttlTmoot", undefined],
  ["", undefined],
  ["he", undefined],
] as const)("the suggestion for %s is %s", ([mistyped, meant]) => {
  expect(nearest(mistyped, names)).toBe(meant);
});

test("suggests the nearest of several names", () => {
  expect(nearest("headerss", ["headersxx", "headers"])).toBe("headers");
  expect(nearest("headerss", ["headers", "headersxx"])).toBe("headers");
  expect(nearest("abcd", ["abcx", "abcy"])).toBe("abcx");
});
