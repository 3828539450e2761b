import { expect, test } from "vitest";
import { isBusy, isConstraint } from "./sqlite-errors.ts";

test.each([
  ["node:sqlite", { errcode: 5 }, { errcode: 19 }],
  ["node:sqlite, extended", { errcode: 517 }, { errcode: 2067 }],
  ["better-sqlite3", { code: "SQLITE_BUSY" }, { code: "SQLITE_CONSTRAINT" }],
  [
    "better-sqlite3, extended",
    { code: "SQLITE_BUSY_SNAPSHOT" },
    { code: "SQLITE_CONSTRAINT_UNIQUE" },
  ],
])("the errors of %s are told apart", (_, busy, constraint) => {
  expect([isBusy(busy), isBusy(constraint)]).toEqual([true, false]);
  expect([isConstraint(busy), isConstraint(constraint)]).toEqual([false, true]);
});

test.each([
  { code: "SQLITE_BUSYBODY" },
  { code: "NOT_SQLITE_BUSY_" },
  { code: 5 },
  { errcode: "5" },
  undefined,
  null,
  "SQLITE_BUSY",
])("%j is neither", (error) => {
  expect([isBusy(error), isConstraint(error)]).toEqual([false, false]);
});
