import { afterEach, expect, test } from "vitest";
import { defaultValidation, setDefaultValidation } from "./index.ts";

afterEach(() => setDefaultValidation(undefined));

test("the default is strict until one is set, and again once it is taken back", () => {
  expect(defaultValidation()).toBe("strict");
  setDefaultValidation("off");
  expect(defaultValidation()).toBe("off");
  setDefaultValidation(undefined);
  expect(defaultValidation()).toBe("strict");
});

test("one who reads it may have another default, which a set one overrides", () => {
  expect(defaultValidation("warn")).toBe("warn");
  setDefaultValidation("strict");
  expect(defaultValidation("warn")).toBe("strict");
});

test("two copies of this package share the default", async () => {
  const copy = await import("./validation.ts?copy" as "./validation.ts");
  expect(copy.setDefaultValidation).not.toBe(setDefaultValidation);
  copy.setDefaultValidation("warn");
  expect(defaultValidation()).toBe("warn");
});

test("a mode that does not exist is rejected, and changes nothing", () => {
  expect(() => setDefaultValidation("loose" as never)).toThrow(
    'validation must be "strict", "warn" or "off".',
  );
  expect(defaultValidation()).toBe("strict");
});
