import { expect, test } from "vitest";
import { newToken } from "./token.ts";

test("the tokens of a process differ, and share its name", () => {
  const [one, two] = [newToken(), newToken()];
  expect(one).not.toBe(two);
  expect(one.split(":")[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(two.split(":")[0]).toBe(one.split(":")[0]);
  expect(Number(two.split(":")[1])).toBe(Number(one.split(":")[1]) + 1);
});
