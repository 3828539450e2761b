import { afterEach, expect, test } from "vitest";
import { defaultValidation, setDefaultValidation } from "./internal.ts";

afterEach(() => setDefaultValidation(undefined));

test("the default mode is strict unless another one is set", () => {
  expect(defaultValidation()).toBe("strict");
  setDefaultValidation("off");
  expect(defaultValidation()).toBe("off");
  setDefaultValidation(undefined);
  expect(defaultValidation()).toBe("strict");
});

test("a mode that is set overrides the caller's own default", () => {
  expect(defaultValidation("warn")).toBe("warn");
  setDefaultValidation("strict");
  expect(defaultValidation("warn")).toBe("strict");
});

test("two copies of this package share the default mode", async () => {
  const copy = await import("./validation.ts?copy" as "./validation.ts");
  expect(copy.setDefaultValidation).not.toBe(setDefaultValidation);
  copy.setDefaultValidation("warn");
  expect(defaultValidation()).toBe("warn");
});

test("setDefaultValidation rejects an unknown mode and keeps the current one", () => {
  expect(() => setDefaultValidation("loose" as never)).toThrow(
    'validation must be "strict", "warn" or "off".',
  );
  expect(defaultValidation()).toBe("strict");
});
