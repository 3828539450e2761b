import { test } from "vitest";
import { mutate } from "./mutations.ts";

test("no change of body, header, secret or time is wrongly accepted or rejected", async () => {
  await mutate(5_000);
});
