import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleEvent } from "../src/samples.ts";
import { sqliteInbox, sqliteOrder, sqliteStore } from "../src/stores/index.ts";
import { everyRule, type Bed, type Cell, type Rule } from "./drivers.ts";

/** What `node:sqlite` and better-sqlite3 have in common. */
export interface Sqlite {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...values: string[]): unknown[]; run(...values: string[]): unknown };
  close(): unknown;
}

/** Cells of a driver of SQLite. `open` does not wait for a file that is locked, because it would stop all tests. */
export function cellsOfSqlite(open: (file: string) => Sqlite): Record<Rule, Cell> {
  function bedOf(isInbox: boolean): Bed {
    const folder = mkdtempSync(join(tmpdir(), "fieldmesh-drivers-"));
    const [database, other] = [open(join(folder, "a.db")), open(join(folder, "a.db"))];
    database.exec("PRAGMA synchronous = OFF");
    database.exec("CREATE TABLE effects (id TEXT, filling TEXT)");
    const inbox = sqliteInbox(database);
    const first = (sql: string): number =>
      Number(Object.values(database.prepare(sql).all()[0]!)[0]);
    // Larger than the free part of a page.
    const insert = `INSERT INTO effects VALUES (?, '${"x".repeat(500)}')`;
    const order = sqliteOrder(database);
    return {
      isInbox,
      store: isInbox ? inbox : sqliteStore(database),
      write: (context, id) =>
        isInbox ? inbox.transaction(context).prepare(insert).run(id) : undefined,
      query: () => {},
      marks: async () => first("SELECT count(*) FROM fieldmesh_events WHERE done_at IS NOT NULL"),
      rows: async () => first("SELECT count(*) FROM effects"),
      close: () => {
        database.close();
        other.close();
        rmSync(folder, { recursive: true });
      },
      setReadOnly: (isReadOnly) => database.exec(`PRAGMA query_only = ${isReadOnly}`),
      // A reader holds the file at each COMMIT.
      setConflict: (isOn) => {
        if (!isOn) return other.exec("COMMIT");
        other.exec("BEGIN");
        return other.prepare("SELECT * FROM effects").all();
      },
      ...(isInbox && { conflict: () => {} }),
      setFull: (isFull) => {
        const pages = isFull ? first("PRAGMA page_count") : 1_000_000;
        database.prepare(`PRAGMA max_page_count = ${pages}`).all();
      },
      breakEvent: (id) => {
        database.exec("DROP TRIGGER IF EXISTS one; DROP TRIGGER IF EXISTS two");
        if (id === undefined) return;
        for (const [name, when] of [
          ["one", "INSERT"],
          ["two", "UPDATE"],
        ])
          database.exec(
            `CREATE TRIGGER ${name} BEFORE ${when} ON fieldmesh_events WHEN NEW.id = '${id}' BEGIN SELECT RAISE(ABORT, 'of a test'); END`,
          );
      },
      // It waits for the turn of the connection that its own event has.
      askPool: () => (isInbox ? order.isOlder(sampleEvent("plan.updated")) : undefined),
    };
  }

  const none: Cell = {
    doesNotApply: "the database is a part of the process: there is no path to it",
  };
  return everyRule(
    { beds: { inbox: async () => bedOf(true), store: async () => bedOf(false) } },
    {
      "a path that freezes": none,
      "a connection that is lost before the handlers": none,
      "a connection that is lost in the handlers": none,
      "a connection that is lost after the handlers": none,
      "a response to COMMIT that is lost": none,
      "a pooler": none,
    },
  );
}
