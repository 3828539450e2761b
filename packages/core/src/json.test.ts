import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { JsonSyntaxError, parseJson, stringifyJson } from "./json.ts";
import { Secret } from "./secret.ts";

describe("parseJson", () => {
  test.each([
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["9007199254740993", 9007199254740993n],
    ["-12345678901234567890", -12345678901234567890n],
    [" \n12345678901234567890\t", 12345678901234567890n],
    ["-0", -0],
    ["1e30", 1e30],
    ["1E400", Number.POSITIVE_INFINITY],
    ["12345678901234567890.0", 12345678901234567890],
    ["12345678901234567890e0", 12345678901234567890],
    ["1e-12345678901234567890", 0],
    [`1${"0".repeat(400)}`, 10n ** 400n],
  ])("reads %j exactly, or as JSON.parse does", (text, value) => {
    expect(parseJson(text)).toBe(value);
    expect(parseJson(`[${text}]`)).toEqual([value]);
    expect(parseJson(`{"a" : ${text} }`)).toEqual({ a: value });
  });

  test.each([
    '{"__proto__":{"isAdmin":true},"a":{"__proto__":{"b":12345678901234567890},"c":[{"__proto__":1}]}}',
    String.raw`{"\u005f_proto__":{"isAdmin":true},"a":{"__\u0070roto__":1,"c":[{"__pr\u006Fto__":1}]}}`,
    String.raw`{"__p\u0072oto_\u005F":{"isAdmin":true},"a":{"c":[{}],"__pro\u0074o__":[]}}`,
  ])("drops __proto__ in any notation: %s", (text) => {
    const value = parseJson(text) as object;
    expect(value).toEqual({ a: { c: [{}] } });
    expect(Object.keys(value)).toEqual(["a"]);
    expect(Object.assign({}, value)).not.toHaveProperty("isAdmin");
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test("keeps keys similar to __proto__, and strings that contain it", () => {
    const value = { __proto: 1, __proto__x: 2, text: "__proto__", constructor: 3, prototype: 4 };
    expect(parseJson(JSON.stringify(value))).toEqual(value);
  });

  test("rejects an integer of more than 1,000 digits, because BigInt needs quadratic time", () => {
    const most = "9".repeat(999);
    expect(parseJson(`[-${most}]`)).toEqual([-BigInt(most)]);
    for (const digits of [1_001, 10_000_000]) {
      const { message, truncated } = failure(`{"a":[1,${"9".repeat(digits)}]}`);
      expect(message).toBe("An integer in JSON has more than 1000 digits");
      expect(truncated).toBe(false);
    }
  });

  test("reads any depth without long integers, and rejects a depth that a reviver cannot reach", () => {
    const nested = (depth: number, item: string): string =>
      `${"[".repeat(depth)}${item}${"]".repeat(depth)}`;
    const deepest = (value: unknown): unknown => {
      let item = value;
      while (Array.isArray(item)) [item] = item;
      return item;
    };
    expect(deepest(parseJson(nested(100_000, "1")))).toBe(1);
    expect(deepest(parseJson(nested(1_000, "12345678901234567890")))).toBe(12345678901234567890n);
    expect(() => parseJson(nested(100_000, "12345678901234567890"))).toThrow(
      new JsonSyntaxError("", new RangeError()),
    );
  });

  test.each([
    [12, "parseJson requires a string, not a number."],
    [undefined, "parseJson requires a string, not undefined."],
    [new String("12"), "parseJson requires a string, not a String."],
  ])("throws a TypeError for %o, which is not a string", (value, message) => {
    expect(() => parseJson(value as string)).toThrow(new TypeError(message));
  });

  test("returns what a reviver with source text access returns, for any JSON", () => {
    fc.assert(
      fc.property(fc.oneof(json, json.map(withoutMark)), (text) => {
        expectSame(parseJson(text), oracle(text));
      }),
      { numRuns: 4000 },
    );
  });

  test("accepts and rejects any damaged JSON as JSON.parse does, with the same position", () => {
    fc.assert(
      fc.property(fc.oneof(damagedJson, damagedJson.map(withoutMark)), (text) => {
        let expected: unknown;
        try {
          expected = oracle(text);
        } catch (error) {
          const { message, truncated } = new JsonSyntaxError(text, error as SyntaxError);
          expect(failure(text)).toMatchObject({ message, truncated });
          return;
        }
        expectSame(parseJson(text), expected);
      }),
      { numRuns: 8000 },
    );
  });
});

describe("JsonSyntaxError", () => {
  test("never quotes the input", () => {
    const text = '{"key":"2B7E1516", "pin": secret}';
    expect(() => JSON.parse(text)).toThrow(/2B7E1516|secret/);
    const error = failure(text);
    expect(error).toBeInstanceOf(SyntaxError);
    expect(error).toMatchObject({ name: "JsonSyntaxError", truncated: false });
    expect(error.cause).toBeUndefined();
    expect(`${error.message} ${error.stack}`).not.toMatch(/2B7E1516|secret/);
  });

  test("names the position where the engine does", () => {
    expect(failure('{"a" 1}').message).toBe("Unexpected token in JSON at position 5");
    expect(failure("undefined").message).toBe("Not valid JSON");
  });

  test.each(["{", '{"', '{"a', '{"a":', '{"a":1,', "[", "[1,", '"\\', "[fals", '["\\"]'])(
    "reports %j as truncated",
    (text) => {
      expect(failure(text)).toMatchObject({
        truncated: true,
        message: "Unexpected end of JSON input",
      });
    },
  );

  test.each(["\ufeff1", "undefined", "[1,]", '{"a":1,}', "[}", "{]", '["[" 1]'])(
    "does not report %j as truncated",
    (text) => {
      expect(failure(text).truncated).toBe(false);
    },
  );

  test("reports every prefix of an object or array as truncated", () => {
    fc.assert(
      fc.property(
        json,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (text, share) => {
          const part = text.slice(0, Math.floor(text.trimEnd().length * share));
          fc.pre(/^\s*[[{]/.test(part));
          expect(failure(part).truncated).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("stringifyJson", () => {
  test("writes a bigint as an integer, wherever it is", () => {
    expect(stringifyJson(12345678901234567890n)).toBe("12345678901234567890");
    expect(stringifyJson({ a: [1n, { b: -12345678901234567890n }] })).toBe(
      '{"a":[1,{"b":-12345678901234567890}]}',
    );
    expect(stringifyJson([1n], { space: 2 })).toBe("[\n  1\n]");
  });

  test("redacts secrets, or reveals them on request: at the top, nested, in arrays, and from a toJSON", () => {
    const pin = new Secret('12"34');
    const value = {
      pin,
      list: [pin, 1n],
      late: { toJSON: () => ({ pin }) },
      later: { toJSON: () => pin },
    };
    const revealed = { pin: '12"34', list: ['12"34', 1], late: { pin: '12"34' }, later: '12"34' };
    expect(stringifyJson(pin)).toBe('"[redacted]"');
    expect(stringifyJson(pin, { reveal: true })).toBe('"12\\"34"');
    expect(stringifyJson(value)).not.toContain("34");
    expect(stringifyJson(value, { reveal: true })).toBe(JSON.stringify(revealed));
    expect(stringifyJson({ pin }, { reveal: true })).toBe('{"pin":"12\\"34"}');
    expect(stringifyJson({ pin }, { reveal: false })).toBe('{"pin":"[redacted]"}');
    expect(stringifyJson({ text: "[redacted]" }, { reveal: true })).toBe('{"text":"[redacted]"}');
  });

  test("writes a bigint as an integer even if BigInt.prototype.toJSON is patched", () => {
    Object.defineProperty(BigInt.prototype, "toJSON", {
      value: () => "patched",
      configurable: true,
    });
    try {
      expect(stringifyJson({ a: 1n, b: [2n], c: 3n })).toBe('{"a":1,"b":[2],"c":3}');
    } finally {
      delete (BigInt.prototype as { toJSON?: unknown }).toJSON;
    }
  });

  test("returns what JSON.stringify returns for everything else", () => {
    const values = {
      date: new Date(0),
      dropped: undefined,
      method() {},
      list: [undefined, () => 1, Symbol("x")],
      nan: Number.NaN,
      zero: -0,
      boxed: [Object("text"), Object(1), Object(false)],
      lone: "\ud800",
      nested: { toJSON: (key: string) => key },
      map: new Map([[1, 2]]),
    };
    for (const space of [undefined, 2, "\t"]) {
      expect(stringifyJson(values, { space })).toBe(JSON.stringify(values, null, space));
      expect(stringifyJson({ ...values, big: 1n }, { space })).toBe(
        JSON.stringify({ ...values, big: 1 }, null, space),
      );
    }
  });

  test("writes a number that is not a safe integer with an exponent, so that it is read as a number", () => {
    expect(stringifyJson([1e20, -(2 ** 53), 2 ** 53 - 1, 1e300])).toBe(
      "[1e+20,-9.007199254740992e+15,9007199254740991,1e+300]",
    );
  });

  test("throws a TypeError for an integer of more than 1,000 digits", () => {
    expect(parseJson(stringifyJson(10n ** 999n))).toBe(10n ** 999n);
    for (const value of [10n ** 1000n, -(10n ** 1000n)])
      expect(() => stringifyJson({ value })).toThrow(/more than 1000 digits/);
  });

  test.each([
    [undefined, "JSON cannot express a value of type undefined: convert it first."],
    [() => 1, "JSON cannot express a value of type function: convert it first."],
    [Symbol("mine"), "JSON cannot express a value of type symbol: convert it first."],
  ])("names the type of %o in a TypeError", (value, message) => {
    expect(() => stringifyJson(value)).toThrow(new TypeError(message));
  });

  test("rejects anything but an options object", () => {
    const says = /stringifyJson.*such as \{ space: 2 \}/;
    expect(() => stringifyJson(1, 2 as never)).toThrow(TypeError);
    expect(() => stringifyJson(1, 2 as never)).toThrow(says);
  });

  test("throws a TypeError for a cycle, and for what JSON cannot express", () => {
    const cycle: Record<string, unknown> = { big: 1n };
    cycle["self"] = cycle;
    expect(() => stringifyJson(cycle)).toThrow(TypeError);
    let deep: unknown = 1n;
    for (let depth = 0; depth < 200_000; depth++) deep = [deep];
    expect(() => stringifyJson(deep)).toThrow(TypeError);
    expect(() => stringifyJson({ boxed: Object(5n) })).toThrow(TypeError);
    delete cycle["big"];
    expect(() => stringifyJson(cycle)).toThrow(TypeError);
    for (const value of [undefined, () => 1, Symbol("x"), { toJSON() {} }]) {
      expect(() => stringifyJson(value)).toThrow(TypeError);
    }
  });

  test("reports an unreadable value without the error of its getter or toJSON", () => {
    const failWith = (type: ErrorConstructor) => (): never => {
      throw new type("mine");
    };
    const getting = (get: () => never) => Object.defineProperty({}, "x", { get, enumerable: true });
    for (const value of [
      { toJSON: failWith(RangeError) },
      getting(failWith(RangeError)),
      getting(failWith(TypeError)),
    ])
      expect(() => stringifyJson(value)).toThrow(/^An argument of stringifyJson cannot be read/);
  });

  test("writes any value with bigints so that parseJson reads it back", () => {
    fc.assert(
      fc.property(valueWithBigints, fc.constantFrom(undefined, 2, "\t"), (value, space) => {
        expectSame(parseJson(stringifyJson(value, { space })), value);
      }),
      { numRuns: 1000 },
    );
  });
});

/** JSON.parse with the source text of each number, which Node has since version 21. */
function oracle(text: string): unknown {
  const reviver = (key: string, value: unknown, context?: { source?: string }) => {
    if (key === "__proto__") return undefined;
    const source = context?.source ?? "";
    const isInteger = typeof value === "number" && /^-?\d+$/.test(source);
    return isInteger && !Number.isSafeInteger(value) ? BigInt(source) : value;
  };
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown);
}

/** Without the character that marks long integers, and without a key that is dropped: both would require a reviver. */
function withoutMark(text: string): string {
  return text
    .replaceAll("\u0091", "\u0092")
    .replaceAll("\\u0091", "\\u0092")
    .replaceAll("__proto__", "proto");
}

function failure(text: string): JsonSyntaxError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error(`parsed: ${text}`);
}

/** Compares two values, including -0, the order of keys, and an own `__proto__`. */
function expectSame(actual: unknown, expected: unknown): void {
  expect(describeValue(actual)).toBe(describeValue(expected));
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(describeValue).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    if (Object.getPrototypeOf(value) !== Object.prototype) return "a strange object";
    return `{${Object.entries(value)
      .map(([key, member]) => `${JSON.stringify(key)}:${describeValue(member)}`)
      .join(",")}}`;
  }
  if (typeof value === "string") return JSON.stringify(value);
  return `${typeof value} ${Object.is(value, -0) ? "-0" : String(value)}`;
}

const LIMIT = BigInt(Number.MAX_SAFE_INTEGER);
const near = fc.bigInt({ min: LIMIT - 4n, max: LIMIT + 4n });
const integer = fc.oneof(
  near,
  near.map((n) => -n),
  fc.bigInt(),
  fc.bigInt({ min: -(10n ** 21n), max: 10n ** 21n }),
  fc.bigInt({ min: 10n ** 400n, max: 10n ** 401n }),
);
const numberToken = fc.oneof(
  integer.map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
  fc.tuple(integer, fc.nat()).map(([whole, part]) => `${whole}.${part}`),
  fc
    .tuple(
      integer,
      fc.constantFrom("e", "E", "e+", "e-", "E-"),
      fc.oneof(
        fc.nat(30),
        integer.map((n) => (n < 0n ? -n : n)),
      ),
    )
    .map((parts) => parts.join("")),
  fc.constantFrom(
    "-0",
    "0",
    "-0.0",
    "1e400",
    "1234567890123456",
    "0.1234567890123456789",
    "-1e-1234567890123456789",
  ),
);
/** Parts of a string literal that look like other JSON tokens. */
const trap = fc.constantFrom(
  ": 12345678901234567890",
  ", 12345678901234567890 ,",
  "[12345678901234567890]",
  "12345678901234567890",
  "-9007199254740993,",
  " 9007199254740993}",
  '\\"',
  '\\":',
  "\\\\",
  '\\\\\\"',
  "\\n",
  "\\/",
  "\\u0091",
  "\\u0022",
  "\\u005c",
  "\\ud800",
  "\u0091",
  "\ud800",
  "\u2028",
  "\\u00911",
  "é",
  "日",
);
const stringToken = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: trap },
      fc.string({ unit: "binary" }).map((text) => JSON.stringify(text).slice(1, -1)),
    ),
    { maxLength: 5 },
  )
  .map((parts) => `"${parts.join("")}"`);
const keyToken = fc.oneof(
  stringToken,
  fc.constantFrom(
    '"a"',
    '"b"',
    '"1"',
    '"0"',
    '"__proto__"',
    '"\\u0061"',
    '"12345678901234567890"',
    '"toJSON"',
    '"constructor"',
  ),
);
const space = fc.constantFrom("", "", "", " ", "\n", "\r\n\t ", "                    ");

/** Returns JSON strings with whitespace at every position. */
const json = fc
  .letrec<{ text: string; core: string }>((tie) => ({
    text: fc.tuple(space, tie("core"), space).map((parts) => parts.join("")),
    core: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      numberToken,
      stringToken,
      fc.constantFrom("true", "false", "null"),
      fc.array(tie("text"), { maxLength: 5 }).map((items) => `[${items.join(",")}]`),
      fc
        .array(fc.tuple(space, keyToken, space, tie("text")), { maxLength: 5 })
        .map(
          (members) =>
            `{${members.map(([before, key, after, value]) => `${before}${key}${after}:${value}`).join(",")}}`,
        ),
    ),
  }))
  .text.filter(isReadRight);

/**
 * Once V8 (Node 24 and 26) has seen the key `\\`, its JSON.parse may read any key of one escaped character as that one:
 * nodejs/node#63785. So no JSON string here has that key.
 */
function isReadRight(text: string): boolean {
  return !/"(?:\\\\|\\u005c)"\s*:/i.test(text);
}

/** Returns a JSON string with a part inserted, removed, or both. */
const damagedJson = fc
  .tuple(
    json,
    fc.nat(),
    fc.nat(3),
    fc.oneof(
      trap,
      fc.constantFrom(
        "",
        '"',
        "\\",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        " ",
        "0",
        "-",
        ".",
        "e",
        "1",
        "\u00a0",
        "\t",
        "t",
      ),
    ),
  )
  .map(([text, at, removed, added]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + added + text.slice(start + removed);
  })
  .filter(isReadRight);

/** Uses bigints only outside the safe range: within it, parseJson returns numbers. */
const valueWithBigints = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.bigInt().filter((n) => n > LIMIT || n < -LIMIT),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
    fc.constantFrom(1e20, -1e20, 2 ** 53, 2 ** 64, 1.5e300),
    fc.string({ unit: "binary" }),
    fc.constantFrom("\u00911", "\u0091", null, true, false),
    fc.array(tie("value")),
    fc.dictionary(
      // parseJson drops a field with the name `__proto__`.
      fc
        .oneof(fc.string(), fc.constantFrom("\u00911", "__proto__x"))
        .filter((key) => key !== "\\" && key !== "__proto__"),
      tie("value"),
      { noNullPrototype: true },
    ),
  ),
})).value;

test("long integers need no reviver, which would be called for every value", () => {
  const parse = vi.spyOn(JSON, "parse");
  const text =
    '{"a":[12345678901234567890,-9007199254740993,null,true,"text",{"b":null}],"c":"9 is no integer"}';
  expect(parseJson(text)).toEqual({
    a: [12345678901234567890n, -9007199254740993n, null, true, "text", { b: null }],
    c: "9 is no integer",
  });
  expect(parse.mock.calls.map(([, reviver]) => reviver)).toEqual([undefined]);
  parse.mockRestore();
});
