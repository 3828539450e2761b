import { test } from "vitest";
import { mutate } from "./mutations.js";

test("no change of body, header, secret or time is accepted or refused wrongly", async () => {
  await mutate(5_000);
});
