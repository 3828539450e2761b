import { expect, test } from "vitest";
import { explainFailure } from "./explain-failure.ts";

const failure = (code: unknown, message: string): Error =>
  Object.assign(new Error(message), { code, detail: "Key (msisdn)=(5551234)" });

test.each([
  ["42P01", "no tables of a mirror"],
  ["42501", "The database is read-only"],
  ["25006", "The database is read-only"],
  ["53100", "The disk of the database is full"],
  ["42703", "differ from their migrations"],
  ["23514", "differ from their migrations"],
])("the SQLSTATE %s says what to do: %s", (code, advice) => {
  const explained = explainFailure(failure(code, "what it says"), "postgres") as Error;
  expect(explained.message).toContain(advice);
  expect(explained.message).toMatch(/ \(what it says\)$/);
  expect(explained).toMatchObject({ code });
  expect(explained).not.toHaveProperty("detail");
});

test("an error of PostgreSQL without advice keeps its message and code, and loses its details", () => {
  const explained = explainFailure(failure("40001", "could not serialize"), "postgres") as Error;
  expect(explained).toMatchObject({ message: "could not serialize", code: "40001" });
  expect(explained).not.toHaveProperty("detail");
  // Longer or shorter than a SQLSTATE.
  for (const code of ["ECONNREFUSED", "40001X", "4000", "4000a", 40_001]) {
    const error = failure(code, "connect ECONNREFUSED");
    expect(explainFailure(error, "postgres")).toBe(error);
  }
});

test("the message of a bad value quotes it, so that only its SQLSTATE is shown", () => {
  const explained = explainFailure(failure("22P02", 'invalid input: "5551234"'), "postgres");
  expect(explained).toMatchObject({ message: "SQLSTATE 22P02", code: "22P02" });
});

test.each([
  ["no such table: fieldmesh_mirror", "no tables of a mirror"],
  ["no such column: ties", "differ from their migrations"],
  ["table fieldmesh_mirror has no column named ties", "differ from their migrations"],
  ["ON CONFLICT clause does not match any PRIMARY KEY", "differ from their migrations"],
  ["UNIQUE constraint failed: fieldmesh_mirror.id", "differ from their migrations"],
  ["attempt to write a readonly database", "The database is read-only"],
  ["database or disk is full", "The disk of the database is full"],
])("the message of SQLite “%s” says what to do: %s", (message, advice) => {
  const explained = explainFailure(failure("ERR_SQLITE_ERROR", message), "sqlite") as Error;
  expect(explained.message).toContain(advice);
  expect(explained.message).toContain(`(${message})`);
  expect(explained).not.toHaveProperty("code");
});

test("any other error is left as it is, also one that is no Error", () => {
  for (const thrown of [new Error("locked"), "text", undefined, null])
    expect(explainFailure(thrown, "sqlite")).toBe(thrown);
});
