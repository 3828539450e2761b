import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, describe, expect, test, vi } from "vitest";
import { findProgram, type Server, startPgBouncer, startPostgres } from "../../../tools/servers.ts";
import { describeWith } from "../../../tools/testing/describe-with.ts";
import { type Cell, RULES, type Rule, rules } from "./drivers.ts";
import { cellsOfPg, cellsOfPostgresJs } from "./drivers-of-postgres.ts";
import { cellsOfRedis, openIoredis, openNodeRedis } from "./drivers-of-redis.ts";
import { cellsOfSqlite } from "./drivers-of-sqlite.ts";

// Most of their time, they wait for a limit.
vi.setConfig({ maxConcurrency: 14 });

const server = await startPostgres();
const bouncer = server.url === undefined ? server : await startPgBouncer(server.url);
afterAll(async () => {
  for (const each of [bouncer, server]) if (each.url !== undefined) await each.stop();
});

type Driver =
  | "pg"
  | "pg behind PgBouncer"
  | "postgres.js"
  | "node:sqlite"
  | "better-sqlite3"
  | "ioredis"
  | "node-redis";

const table: Record<Driver, Record<Rule, Cell>> = {
  pg: cellsOfPg(server.url ?? "", server.url ?? ""),
  "pg behind PgBouncer": cellsOfPg(server.url ?? "", bouncer.url ?? ""),
  "postgres.js": cellsOfPostgresJs(server.url ?? ""),
  "node:sqlite": cellsOfSqlite((file) => new DatabaseSync(file)),
  "better-sqlite3": cellsOfSqlite((file) => new BetterSqlite3(file, { timeout: 0 })),
  ioredis: cellsOfRedis(openIoredis),
  "node-redis": cellsOfRedis(openNodeRedis),
};

const here: Server = { url: "", stop: async () => {} };
const redis: Server = findProgram("redis-server")
  ? here
  : { missing: "redis-server is not on PATH" };

/** What the proofs of a driver need. */
const needs: Record<Driver, Server> = {
  pg: server,
  "pg behind PgBouncer": bouncer,
  "postgres.js": here,
  "node:sqlite": here,
  "better-sqlite3": here,
  ioredis: redis,
  "node-redis": redis,
};

const DRIVERS = Object.keys(table) as Driver[];
const cells = RULES.flatMap((rule) =>
  DRIVERS.map((driver) => {
    const cell: Cell | undefined = table[driver][rule];
    return { driver, rule, cell };
  }),
);

test("every rule has a proof for every driver, or says why there is none", () => {
  const empty = cells.filter(({ cell }) =>
    cell !== undefined && "beds" in cell ? Object.keys(cell.beds).length === 0 : !cell,
  );
  expect(empty.map(({ driver, rule }) => `${driver}: ${rule}`)).toEqual([]);
});

test("at most five cells have a reason instead of a proof, and the guide says each of them", () => {
  const reasons = cells.flatMap(({ cell }) => (cell && "reason" in cell ? [cell.reason] : []));
  expect(reasons.length).toBeLessThanOrEqual(5);
  if (reasons.length === 0) return;
  const guide = readFileSync(new URL("../../../docs/guides/databases.md", import.meta.url), "utf8");
  for (const reason of reasons) expect(guide).toContain(reason);
});

describe.concurrent("a store survives", () => {
  for (const driver of DRIVERS)
    describeWith(needs[driver], driver, () => {
      const proofs = cells.filter((each) => each.driver === driver).flatMap(proofsOf);
      test.each(proofs)("%s", (_title, prove) => prove());
    });
});

/** The tests of a cell, with their titles. */
function proofsOf({ rule, cell }: (typeof cells)[number]): [string, () => Promise<void>][] {
  if (cell === undefined) return [];
  if ("proof" in cell) return [[rule, cell.proof]];
  if (!("beds" in cell)) return [];
  return Object.entries(cell.beds).map(([name, create]) => [
    `${rule}: ${name}`,
    async () => {
      const bed = await create();
      try {
        await rules[rule](bed);
      } finally {
        await bed.close();
      }
    },
  ]);
}
