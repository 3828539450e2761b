import { expect, test } from "vitest";
import { createRetryBudget, type RetryBudget } from "./retry-budget.ts";

const spendAll = (budget: RetryBudget): number => {
  let spent = 0;
  while (budget.spend()) if (++spent === 1_000) break;
  return spent;
};

test("a client may retry 35 times without a success in between", () => {
  const budget = createRetryBudget();
  expect(spendAll(budget)).toBe(35);
  expect(budget.spend()).toBe(false);
});

test("a success refunds what its retries cost", () => {
  const budget = createRetryBudget();
  spendAll(budget);
  budget.succeeded(2);
  expect(spendAll(budget)).toBe(2);
});

test("successes without a retry pay for one after fourteen", () => {
  const budget = createRetryBudget();
  spendAll(budget);
  // 500 is 35 retries and 10 over.
  for (let success = 0; success < 3; success++) budget.succeeded(0);
  expect(budget.spend()).toBe(false);
  budget.succeeded(0);
  expect(budget.spend()).toBe(true);
  for (let success = 0; success < 13; success++) budget.succeeded(0);
  expect(budget.spend()).toBe(false);
  budget.succeeded(0);
  expect(budget.spend()).toBe(true);
});

test("a budget is never more than full", () => {
  const budget = createRetryBudget();
  for (let success = 0; success < 1_000; success++) budget.succeeded(3);
  expect(spendAll(budget)).toBe(35);
});
