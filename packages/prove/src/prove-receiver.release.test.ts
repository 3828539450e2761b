import { test } from "vitest";
import { expectSameResult } from "./testing/parts.ts";
import { planted } from "./testing/planted.ts";

const LONG = { timeout: 10 * 60_000 };

test("a hundred searches with the same seed have the same result", LONG, async () => {
  await expectSameResult(planted["compares, and writes a moment later"]!, 100);
});
