import { expect, test } from "vitest";
import type * as mirrors from "../../mirror/src/index.ts";
import { postgresMirror } from "../../mirror/src/index.ts";
import type * as stores from "../src/stores/index.ts";
import {
  type PgPool,
  postgresInbox,
  postgresOrder,
  postgresPoison,
  postgresStore,
} from "../src/stores/index.ts";

type Exports = typeof mirrors & typeof stores;
type FirstOf<F> = F extends (first: infer First, ...rest: never[]) => unknown ? First : never;

/** The exported functions whose first argument is a client of PostgreSQL. A table of them does not compile if it lacks one. */
type OfPostgres = {
  [
    Name in keyof Exports as [FirstOf<Exports[Name]>] extends [PgPool]
      ? [FirstOf<Exports[Name]>] extends [never]
        ? never
        : Name
      : never
  ]: unknown;
};

const everyFunction = {
  postgresInbox,
  postgresMirror,
  postgresOrder,
  postgresPoison,
  postgresStore,
} satisfies OfPostgres;

/** The members of what `postgres()` of postgres.js returns that tell it from a pool. */
function postgresJs(): never {
  const nothing = () => {};
  const options = { host: ["db.test"], user: "app", pass: "canary" };
  return Object.assign(nothing, { unsafe: nothing, begin: nothing, options }) as never;
}

test.each(Object.entries(everyFunction))(
  "%s rejects a client of postgres.js before any event, and says what to pass",
  (name, create) => {
    expect(() => create(postgresJs())).toThrow(
      new TypeError(
        `${name} does not accept postgres.js, which cannot close one connection that hangs, and hides how a COMMIT ended. Pass new Pool({ connectionString }) of pg, beside your own client: see the guide "Databases", guides/databases.`,
      ),
    );
  },
);
