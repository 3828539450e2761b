import { expect, test } from "vitest";
import { answering, errorOf } from "../test/answering.ts";

test("a device list that is too large names the method that reads a list of any size", async () => {
  const { client } = answering([]);
  const { message } = await errorOf(client.devices.list({ maxResponseBytes: 1 }));
  expect(message).toContain("Use devices.each(), which reads a list of any size.");
});
