import { existsSync } from "node:fs";
import type * as Sqlite from "node:sqlite";
import {
  type Mirror,
  type MirrorOptions,
  postgresMirror,
  sqliteMirror,
  type StoredEvents,
  type VerifyOptions,
} from "@fieldmesh/mirror";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { readFirstLine } from "../files/user-file.ts";

/** A mirror, and what it is compared with. */
export interface OpenMirror {
  readonly mirror: Mirror;
  readonly events: StoredEvents;
  readonly verifying: VerifyOptions;
}

const VARIABLE = "FIELDMESH_MIRROR_URL";
const INSTEAD = `set ${VARIABLE}, or add --url-file`;

/** Runs work with the mirror that the options name, and closes its database. */
export async function withMirror(
  context: Context,
  input: Input,
  work: (open: OpenMirror) => Promise<void>,
): Promise<void> {
  const url = await readUrl(context, input);
  const { tenant, personal, undeclared } = input.options;
  const fields: MirrorOptions = {
    personal: readFields(personal),
    undeclared: readFields(undeclared),
  };
  const { mirror, close } = await guarded(() => connect(url, fields));
  try {
    const client = await context.client("mobile");
    const events = client.events.list({}, { signal: context.signal });
    const verifying = typeof tenant === "string" ? { tenant } : {};
    await guarded(() => work({ mirror, events, verifying }));
  } finally {
    await close();
  }
}

/** The errors of a mirror and of its database say what to do. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { name, message } = error as Error;
    const isOfMirror = name === "Error" || name === "TypeError" || name === "error";
    throw isOfMirror ? new CliError(message, exitCodes.failed, { cause: error }) : error;
  }
}

async function readUrl(context: Context, { options }: Input): Promise<string> {
  const file = options["urlFile"];
  if (typeof file !== "string") {
    const url = context.env[VARIABLE];
    if (!url) throw new CliError(`The connection string of the mirror is missing: ${INSTEAD}.`);
    return url;
  }
  return await readFirstLine(context, file, "the connection string");
}

/** The mirror checks the names. */
function readFields(text: unknown): readonly never[] {
  return typeof text === "string" ? (text.split(",") as never[]) : [];
}

async function connect(url: string, fields: MirrorOptions) {
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    const { default: pg } = await import("pg");
    try {
      // The pool would parse the string with its first query. A client alone opens no connection.
      void new pg.Client({ connectionString: url });
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof URIError)) throw error;
      // Without the error, which may quote the string.
      throw new CliError(UNREADABLE);
    }
    const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: LONGEST_CONNECT });
    // A connection that breaks fails the query that uses it.
    pool.on("error", () => {});
    return { mirror: postgresMirror(pool, fields), close: () => pool.end() };
  }
  const [, path] = /^sqlite:(.+)$/.exec(url) ?? [];
  // The string may contain a password, so no message shows it.
  if (path === undefined)
    throw new CliError(
      "The connection string of the mirror begins with neither postgres:// nor sqlite:, such as sqlite:/var/lib/mirror.db.",
    );
  // Opening it would create it.
  if (!existsSync(path))
    throw new CliError("The file of the mirror does not exist. Check the path after sqlite:.");
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite") as typeof Sqlite;
  const database = new DatabaseSync(path, { timeout: LONGEST_LOCK });
  try {
    return { mirror: sqliteMirror(database, fields), close: async () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

const UNREADABLE =
  "The connection string of the mirror cannot be read: write postgres://user:password@host:5432/database, and encode what is special in the password, such as %23 for #.";
const LONGEST_CONNECT = 10_000;
/** In milliseconds: the receiver holds the file for the time of its handlers. */
const LONGEST_LOCK = 5_000;
