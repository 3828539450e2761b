import { expect, test } from "vitest";
import { createRetryBudget, type RetryBudget } from "./retry-budget.ts";

const spendAll = (budget: RetryBudget): number => {
  let spent = 0;
  while (budget.spend()) if (++spent === 1_000) break;
  return spent;
};

test("a client can retry 35 times without a success in between", () => {
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

test("fourteen successes without a retry pay for one retry", () => {
  const budget = createRetryBudget();
  spendAll(budget);
  // A budget of 500 pays for 35 retries and leaves 10.
  for (let success = 0; success < 3; success++) budget.succeeded(0);
  expect(budget.spend()).toBe(false);
  budget.succeeded(0);
  expect(budget.spend()).toBe(true);
  for (let success = 0; success < 13; success++) budget.succeeded(0);
  expect(budget.spend()).toBe(false);
  budget.succeeded(0);
  expect(budget.spend()).toBe(true);
});

test("a budget never exceeds its maximum", () => {
  const budget = createRetryBudget();
  for (let success = 0; success < 1_000; success++) budget.succeeded(3);
  expect(spendAll(budget)).toBe(35);
});
