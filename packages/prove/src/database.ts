import { hasMethod, requires } from "@fieldmesh/core/internal";
import type { Calls } from "./calls.ts";

type Method = (...values: unknown[]) => unknown;

/** Makes each query a call at which a fault can strike. When the process ends, transactions are rolled back, as on a server. */
export function wrapDatabase<D extends object>(database: D, calls: Calls): D {
  if (hasMethod(database, "query") && hasMethod(database, "connect"))
    return overPg(database, calls);
  if (hasMethod(database, "exec") && hasMethod(database, "prepare"))
    return overSqlite(database, calls);
  throw requires(
    "world.database",
    "a Pool of pg, or a database of node:sqlite or better-sqlite3",
    database,
  );
}

/** Replaces some methods of an object. The others are called on the object itself, whose class may have private fields. */
function over<T extends object>(inner: T, replaced: Readonly<Record<string | symbol, Method>>): T {
  return new Proxy(inner, {
    get(target, key) {
      const own = Object.hasOwn(replaced, key) ? replaced[key] : undefined;
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function"
        ? (...values: unknown[]): unknown => Reflect.apply(value, target, values)
        : value;
    },
  });
}

function call(inner: object, name: string, values: unknown[]): unknown {
  return Reflect.apply((inner as Readonly<Record<string, Method>>)[name] as Method, inner, values);
}

/** What a query does: its first words, without the values that it may contain. */
function labelOf(query: unknown): string {
  const text = typeof query === "string" ? query : (query as { text?: unknown } | undefined)?.text;
  return `database: ${typeof text === "string" ? wordsOf(text) : "query"}`;
}

/** The statement and its table, such as `INSERT INTO sims`. A word ends at a quote, so that no value is shown. */
function wordsOf(text: string): string {
  const [statement = "", next = "", table = ""] = text.trim().split(/\s+/, 3);
  const words = CLAUSE.test(next) ? [statement, next, table] : [statement, next];
  return words.flatMap((word) => WORD.exec(word) ?? []).join(" ") || "query";
}

const CLAUSE = /^(?:INTO|FROM|TABLE)$/i;
const WORD = /^[\w".]+/;

// ---- pg

function overPg<P extends object>(pool: P, calls: Calls): P {
  const borrowed = new Set<object>();
  calls.atEnd(() => {
    // Closes the connection, so that the server rolls back.
    for (const client of borrowed) call(client, "release", [true]);
    borrowed.clear();
  });
  return over(pool, {
    query: queryOf(pool, calls),
    connect: async (...values) => {
      if (values.some(isFunction)) return call(pool, "connect", values);
      let lent: object | undefined;
      const release = (...all: unknown[]): void => {
        if (lent !== undefined && borrowed.delete(lent)) call(lent, "release", all);
      };
      try {
        return await calls.query("database: connect", async () => {
          const client = await call(pool, "connect", []);
          if (!hasMethod(client, "release")) return client;
          lent = client as object;
          if (calls.hasDied) call(lent, "release", []);
          else borrowed.add(lent);
          return over(lent, { query: queryOf(lent, calls), release });
        });
      } catch (error) {
        // The receiver never sees the client, so nobody else returns it.
        release();
        throw error;
      }
    },
  });
}

/** A query with a callback, or one that streams, is passed on. */
function queryOf(inner: object, calls: Calls): Method {
  return (...values) =>
    values.some(isFunction) || hasMethod(values[0], "submit")
      ? call(inner, "query", values)
      : calls.query(labelOf(values[0]), () => call(inner, "query", values));
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

// ---- SQLite

/** Its calls return at once. */
function overSqlite<D extends object>(database: D, calls: Calls): D {
  const isOpen = (): boolean => {
    const { isTransaction, inTransaction } = database as Record<string, unknown>;
    return (isTransaction ?? inTransaction) === true;
  };
  calls.atEnd(() => {
    if (isOpen()) call(database, "exec", ["ROLLBACK"]);
  });
  return over(database, {
    exec: (...values) => calls.now(labelOf(values[0]), () => call(database, "exec", values)),
    prepare: (...values) => {
      const statement = call(database, "prepare", values) as object;
      const method = (name: string): [string, Method] => [
        name,
        (...all) => calls.now(labelOf(values[0]), () => call(statement, name, all)),
      ];
      return over(statement, Object.fromEntries(["run", "get", "all", "iterate"].map(method)));
    },
  });
}
