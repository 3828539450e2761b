import { expect, test } from "vitest";
import { createJournal } from "./journal.ts";
import { createMoment } from "./moment.ts";
import { createVirtualClock } from "./virtual-clock.ts";

const STATE = { faults: [], devices: 0, deliveries: 0 };

/** A journal over a list of numbers, and how often the list was copied. */
function open({ limit = 100, mostBytes = 100 }: { limit?: number; mostBytes?: number } = {}) {
  let values: number[] = [];
  let copies = 0;
  const continued: unknown[] = [];
  const journal = createJournal<number[], number[]>({
    moment: createMoment(createVirtualClock()),
    limit,
    mostBytes,
    current: () => values,
    save: () => {
      copies++;
      return [...values];
    },
    random: {
      position: () => [values.length, 0, 0, 0],
      continueAt: ([drawn]) => continued.push(drawn),
    },
  });
  journal.begin(undefined);
  const add = (value: number, size = 0, isLost?: () => boolean) => {
    journal.arrive(value, { ...STATE, size });
    journal.change(
      () => values.push(value),
      (current) => current.push(value),
      isLost,
    );
  };
  const back = async (number: number) => {
    await journal.back(number, {
      load: (base) => (values = [...(base ?? [])]),
      finish: () => {},
    });
    return values;
  };
  return { journal, add, back, continued, copies: () => copies };
}

test("the data are copied once per limit, and everything between is repeated", async () => {
  const { add, back, copies } = open({ limit: 4 });
  for (let value = 1; value <= 12; value++) add(value);
  expect(copies()).toBe(2);
  expect(await back(11)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(await back(7)).toEqual([1, 2, 3, 4, 5, 6]);
});

test("the data are copied when bodies fill half of what is kept", () => {
  const { add, copies } = open({ mostBytes: 100 });
  add(1, 49);
  add(2, 1);
  expect(copies()).toBe(0);
  add(3, 1);
  expect(copies()).toBe(1);
});

test("requests without bodies need no copy, even where no byte is kept", () => {
  const { add, copies } = open({ mostBytes: 0 });
  for (let value = 1; value <= 9; value++) add(value);
  expect(copies()).toBe(0);
});

test("a request is out of reach after a change whose body was forgotten", async () => {
  const { journal, add, back } = open();
  let isLost = false;
  add(1);
  add(2, 0, () => isLost);
  add(3);
  isLost = true;
  expect(journal.find(2)).toMatchObject({ number: 2 });
  expect(journal.find(3)).toBeUndefined();
  await expect(back(3)).rejects.toThrow(RangeError);
  expect(await back(2)).toEqual([1]);
});

test("what happened before a lost change is forgotten with it when the data are copied", () => {
  const { journal, add } = open({ limit: 3 });
  let isLost = false;
  add(1);
  add(2, 0, () => isLost);
  add(3);
  expect(journal.find(1)).toMatchObject({ number: 1 });
  isLost = true;
  add(4);
  expect(journal.find(1)).toBeUndefined();
  expect(journal.find(4)).toMatchObject({ number: 4 });
});

test("each change is repeated with the random sequence where it was", async () => {
  const { add, back, continued } = open();
  for (const value of [1, 2, 3]) add(value);
  await back(3);
  expect(continued).toEqual([0, 1]);
});

test("going back forgets the later requests and counts the rest", async () => {
  const { journal, add, back, copies } = open({ limit: 3 });
  for (const value of [1, 2, 3]) add(value);
  await back(2);
  expect(journal.find(2)).toBeUndefined();
  for (const value of [4, 5]) add(value);
  expect(copies()).toBe(0);
  add(6);
  expect(copies()).toBe(1);
});

test("a mark restores what was remembered", async () => {
  const { journal, add, back } = open();
  add(1);
  const restore = journal.mark();
  add(2);
  journal.clear();
  expect(journal.find(1)).toBeUndefined();
  restore();
  expect(journal.find(1)).toMatchObject({ number: 1 });
  expect(journal.find(2)).toBeUndefined();
  expect(await back(1)).toEqual([]);
});

test("a journal of no request remembers nothing", () => {
  const { journal, add, copies } = open({ limit: 0 });
  add(1);
  expect(journal.find(1)).toBeUndefined();
  expect(copies()).toBe(0);
});
