import { expect, test } from "vitest";
import { createThings, errorOf } from "./things.ts";

test("a message ends with the question mark of its suggestion", async () => {
  const options = { retry: { attempt: 2 } as never };
  const error = await errorOf(createThings().list(options));
  expect(error.message).toContain('Did you mean "attempts"? Correct the input');
});
