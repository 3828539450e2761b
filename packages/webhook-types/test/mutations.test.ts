import { test } from "vitest";
import { mutate } from "./mutations.ts";

test("no change of body, header, secret or time is accepted or refused wrongly", async () => {
  await mutate(5_000);
});
