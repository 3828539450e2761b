import { expect, test } from "vitest";
import { consumers, runConsumer } from "./run-consumer.ts";

test.each(consumers)("%s: the project of a user works", async (name) => {
  expect(await runConsumer(name)).toBe("ok");
});
