import { expect, test } from "vitest";
import { runConsumer } from "./run-consumer.ts";

// One that is quick, and one whose module system differs from all other tests. The release tier has the rest.
test.each(["javascript", "jest-commonjs"])("%s: the project of a user works", async (name) => {
  expect(await runConsumer(name)).toBe("ok");
});
