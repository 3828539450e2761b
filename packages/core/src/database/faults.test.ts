import { expect, test } from "vitest";
import { endsConnection, faultOf, isBusy, sqlstateOf } from "./faults.ts";

const coded = (code: unknown) => Object.assign(new Error("x"), { code });
const sqlite = (errcode: unknown) => Object.assign(new Error("x"), { errcode });

test.each<[string, unknown, ReturnType<typeof faultOf>]>([
  ["a lost connection", coded("08006"), "database"],
  ["a server that only reads", coded("25006"), "database"],
  ["a transaction that was idle for too long", coded("25P03"), "database"],
  ["a full disk", coded("53100"), "database"],
  ["a server that shuts down", coded("57P01"), "database"],
  ["a statement that took too long", coded("57014"), "database"],
  ["an error of the system", coded("58030"), "database"],
  ["a serialization failure", coded("40001"), "conflict"],
  ["a deadlock", coded("40P01"), "conflict"],
  ["a transaction that has failed", coded("25P02"), "work"],
  ["a constraint", coded("23505"), "work"],
  ["a lock that was not available", coded("55P03"), "work"],
  ["a broken pipe of Node", coded("EPIPE"), undefined],
  ["a refused connection of Node", coded("ECONNREFUSED"), undefined],
  ["a full file of node:sqlite", sqlite(13), "database"],
  ["a busy file of node:sqlite, extended", sqlite(517), "database"],
  ["a constraint of node:sqlite, extended", sqlite(2067), "work"],
  ["a mistake in the SQL of node:sqlite", sqlite(1), undefined],
  ["a full file of better-sqlite3", coded("SQLITE_FULL"), "database"],
  ["a name that only begins like one", coded("SQLITE_FULLER"), undefined],
  ["an error that wraps one", new Error("x", { cause: coded("53100") }), "database"],
  ["one of several", new AggregateError([coded("23505"), coded("40001")]), "conflict"],
  ["nothing", undefined, undefined],
])("%s", (_, error, fault) => {
  expect(faultOf(error)).toBe(fault);
});

test("a chain of causes has an end", () => {
  const error = new Error("x");
  error.cause = error;
  expect(faultOf(error)).toBeUndefined();
});

test.each<[unknown, boolean]>([
  [coded("57P01"), true],
  [coded("25006"), true],
  [coded("08P01"), true],
  [new Error("READONLY You can't write against a read only replica."), true],
  [coded("57014"), false],
  [coded("53100"), false],
  [new Error("READONLY"), false],
])("%j ends its connection: %s", (error, expected) => {
  expect(endsConnection(error)).toBe(expected);
});

test("a busy file is told apart, and a code of SQLite is no SQLSTATE", () => {
  expect([sqlite(5), coded("SQLITE_BUSY_SNAPSHOT"), sqlite(6)].map(isBusy)).toEqual([
    true,
    true,
    false,
  ]);
  expect(sqlstateOf(coded("SQLITE_BUSY"))).toBeUndefined();
});
