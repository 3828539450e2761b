import { expect, test } from "vitest";
import { createGroup } from "./group.ts";

const pass = () => new Promise((resolve) => setTimeout(resolve, 0));

test("what waits at the same moment is one call, and at most two are in progress", async () => {
  const sent: string[][] = [];
  const ends: (() => void)[] = [];
  const ask = createGroup(
    async (items: readonly string[]) => {
      sent.push([...items]);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items.map((item) => item.toUpperCase());
    },
    () => true,
  );
  const first = Promise.all(["a", "b"].map(ask));
  await pass();
  const second = ask("c");
  await pass();
  const third = Promise.all(["d", "e", "f"].map(ask));
  await pass();
  expect(sent).toEqual([["a", "b"], ["c"]]);
  ends[0]?.();
  expect(await first).toEqual(["A", "B"]);
  await pass();
  expect(sent[2]).toEqual(["d", "e", "f"]);
  for (const end of ends) end();
  expect([await second, await third]).toEqual(["C", ["D", "E", "F"]]);
});

test.each([
  [true, ["a", "an error", "c"], 4],
  [false, ["an error", "an error", "an error"], 1],
])("a call that fails, and is undone: %s", async (isUndone, expected, calls) => {
  let count = 0;
  const ask = createGroup(
    async (items: readonly string[]) => {
      count += 1;
      if (items.includes("b")) throw new Error("b");
      return items;
    },
    () => isUndone,
  );
  const results = await Promise.all(
    ["a", "b", "c"].map((item) => ask(item).catch(() => "an error")),
  );
  expect(results).toEqual(expected);
  expect(count).toBe(calls);
});
