import { expect, test } from "vitest";
import { describeValue, findSettingMistake } from "./internal.ts";

test.for([
  ["", "is empty"],
  [" ", "is empty"],
  ["undefined", "is the word undefined"],
  ["null", "is the word null"],
  ['"abc"', "is in quotes"],
  ["'abc'", "is in quotes"],
  ["${API_KEY}", "is a placeholder"],
  ["$API_KEY", "is a placeholder"],
  ["%API_KEY%", "is a placeholder"],
  ["<your key>", "is a placeholder"],
  ["{{ api_key }}", "is a placeholder"],
  ["$KEY_A", "is a placeholder"],
  ["`abc`", "is in quotes"],
  ['"a\nb"', "is in quotes"],
])("reports the mistake in %s, and says what to do", ([text = "", problem = ""]) => {
  expect(findSettingMistake(text)).toContain(problem);
  expect(findSettingMistake(text)).toMatch(/[.?]$/);
});

test.for([
  "key<abc>",
  "<abc>key",
  "x${KEY}",
  "${KEY}x",
  "key$KEY",
  "$KEY-1",
  "x%KEY%",
  "%KEY%x",
  "x{{key}}",
  "{{key}}x",
  "x'abc'",
  "'abc'x",
  "nullable",
  "not null",
  "abc",
  "$2b$10$abc",
  "a'b",
  '"',
  "undefined-key",
  "https://console.example.com",
])("reports no mistake in %s", (text) => expect(findSettingMistake(text)).toBeUndefined());

test.for<[unknown, string]>([
  [undefined, "undefined"],
  [null, "null"],
  ["canary", "a string"],
  [5, "a number"],
  [["canary"], "an array"],
  [{ canary: 1 }, "an object"],
  [Object.create(null), "an object"],
  [new Error("canary"), "an Error"],
  [new Map(), "a Map"],
  [Object.create({ constructor: () => 1 }), "a constructor"],
  [Object.create({ constructor: { name: "" } }), "an object"],
  [Object.create({ constructor: { name: 5 } }), "an object"],
  [new URL("https://canary.example"), "an URL"],
  [true, "a boolean"],
  [() => 1, "a function"],
])("a description names the type of a value, %#", ([value, text]) => {
  expect(describeValue(value)).toBe(text);
});
