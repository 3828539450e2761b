import { tracingChannel } from "node:diagnostics_channel";
import { DatabaseSync } from "node:sqlite";
import { inspect } from "node:util";
import { methodOf } from "../../packages/cli/src/rows/row.ts";
import { runRow } from "../../packages/cli/src/rows/run-row.ts";
import { readRows } from "../../packages/cli/src/rows/with-service.ts";
import { testContext } from "../../packages/cli/test/context.ts";
import { stringifyJson } from "../../packages/core/src/index.ts";
import { withResponse, type ClientOptions } from "../../packages/http/src/index.ts";
import { kindOf, type Pager } from "../../packages/http/src/internal.ts";
import { parseConsoleUplink } from "../../packages/mapper-client/src/uplink.ts";
import { API_KEY, userInput, type RowUnderTest } from "../testing/services.ts";
import { signedRequest } from "../../packages/webhook-types/src/index.ts";
import { sqliteMirror } from "../../packages/mirror/src/index.ts";
import { parseEvent, redactEvent } from "../../packages/webhook-types/src/parse/index.ts";
import {
  createReceiver,
  memoryPoison,
  memoryStore,
} from "../../packages/webhook-types/src/receiver/index.ts";
import { sqliteInbox, sqlitePoison } from "../../packages/webhook-types/src/stores/index.ts";
import { migrationOf } from "../testing/mirrors.ts";
import { everythingPrinted } from "./canaries.ts";

/** What each printer showed, and what each store holds. */
export type Prints = Map<string, string>;

/** What a reveal of the result returns. It is not a printer. */
export const REVEALED = "revealed";

type Mode = NonNullable<ClientOptions["validation"]>;

/** Calls a row against a service that sends the body, and returns what every printer shows of the call. */
export async function printsOfCall(
  { service, resource, name, row }: RowUnderTest,
  body: unknown,
  { validation, status = row.status }: { validation: Mode; status?: number },
): Promise<Prints> {
  const { prints, see, add } = recorder();
  const seeAll = (printer: string, names: readonly string[]) =>
    Object.fromEntries(names.map((each) => [each, see(printer)]));
  const stop = CHANNELS.map((channel) => watch(channel, see("channels")));
  const options: Partial<ClientOptions> = {
    baseUrl: "https://service.test",
    retry: false,
    validation,
    hooks: seeAll("hooks", ["onRequest", "onResponse", "onFailure"]),
    logger: seeAll("logger", ["debug", "info", "warn", "error"]) as never,
    onDrift: see("onDrift"),
    fetch: async () => new Response(JSON.stringify(body), { status }),
  };
  const client = service.createClient({ ...options, apiKey: API_KEY } as never) as Readonly<
    Record<string, Readonly<Record<string, (input?: unknown) => Promise<unknown>>>>
  >;
  try {
    const called =
      client[resource]?.[name]?.(inputOf(row)) ?? Promise.reject(new Error("No method."));
    addResult(
      add,
      kindOf(row.result) === "page"
        ? await (called as unknown as Pager<unknown>).page()
        : await withResponse(called).then(({ output, meta }) => ({ output, meta })),
    );
  } catch (error) {
    add("errors", everythingPrinted(error));
  } finally {
    for (const end of stop) end();
  }
  return prints;
}

function inputOf(row: RowUnderTest["row"]): object | undefined {
  const input = userInput(row);
  return Object.keys(input).length === 0 ? undefined : input;
}

const CHANNELS = ["call", "attempt", "page", "delivery", "handler", "store"];

/** Passes every message of a channel on, and returns what ends that. */
function watch(name: string, see: (message: unknown) => void): () => void {
  const channel = tracingChannel<unknown, object>(`fieldmesh:${name}`);
  // What a message has at its end is in the same object.
  const all = { start: see, end: () => {}, asyncStart: () => {}, asyncEnd: see, error: see };
  channel.subscribe(all);
  return () => channel.unsubscribe(all);
}

/** Parses and receives an event, and returns what every printer shows of it, and what every store holds. */
export async function printsOfEvent(wire: unknown, validation: Mode): Promise<Prints> {
  const { prints, see, add } = recorder();
  const stop = CHANNELS.map((channel) => watch(channel, see("channels")));
  try {
    const event = parseEvent(wire, { validation, onDrift: see("onDrift") });
    addResult(add, event);
    add("redactEvent", JSON.stringify(redactEvent(event)));
    if (validation !== "off") await storeEvent(wire, { validation, see, add });
  } catch (error) {
    add("errors", everythingPrinted(error));
  } finally {
    for (const end of stop) end();
  }
  return prints;
}

async function storeEvent(
  wire: unknown,
  { validation, see, add }: Pick<ReturnType<typeof recorder>, "see" | "add"> & { validation: Mode },
): Promise<void> {
  const database = new DatabaseSync(":memory:");
  database.exec(migrationOf("sqlite"));
  const rowsOf = (table: string) =>
    stringifyJson(database.prepare(`SELECT * FROM ${table}`).all(), { reveal: true });
  const inMemory = memoryPoison({ payload: "withoutSecrets" });
  const fails = {
    handlers: { "*": () => Promise.reject(new Error("This handler fails.")) },
    store: memoryStore(),
  };
  const receivers = [
    { ...fails, poison: { store: inMemory, attempts: 1 } },
    {
      ...fails,
      poison: { store: sqlitePoison(database, { payload: "withoutSecrets" }), attempts: 1 },
    },
    { handlers: {}, store: sqliteInbox(database), order: sqliteMirror(database) },
  ];
  for (const each of receivers) {
    const logger = {
      debug: see("logger"),
      info: see("logger"),
      warn: see("logger"),
      error: see("logger"),
    };
    const observers = {
      logger,
      onOutcome: see("hooks"),
      onError: see("hooks"),
      onDrift: see("onDrift"),
    };
    const receive = createReceiver({ secret: SECRET, validation, ...observers, ...each });
    await receive(await signedRequest(JSON.stringify(wire), { url: "http://x/", secret: SECRET }));
  }
  const [kept] = await inMemory.list();
  add("poison in memory", String((await inMemory.get(kept?.id ?? ""))?.payload));
  add("poison in SQLite", rowsOf("fieldmesh_poison"));
  const mirrored = rowsOf("fieldmesh_mirror");
  // A snapshot without an id is not mirrored.
  if (mirrored !== "[]") add("mirror", mirrored);
  database.close();
}

const SECRET = "whsec_0123456789abcdef";

/** Runs the command of a row, as JSON and as a table. */
export async function printsOfCommand(
  { service, resource, name, row }: RowUnderTest,
  body: unknown,
): Promise<Prints> {
  const { prints, add } = recorder();
  const words = resource === service.name ? [name] : [resource, name];
  const { commands } = (await readRows())[service.name];
  const command = commands.find(({ path }) => methodOf(path).join() === words.join());
  if (command === undefined) throw new Error(`${words.join(" ")} has no command.`);
  const fetch = async () => new Response(JSON.stringify(body), { status: row.status });
  const fake = { baseUrl: "https://service.test", fetch, apiKey: API_KEY };
  for (const json of [true, false]) {
    const sandbox = { [service.name]: fake, apiKey: API_KEY } as never;
    const stdin = JSON.stringify(row.sample.input);
    const context = testContext({ sandbox, stdin, json, yes: true });
    await runRow(service.name, command, context, { arguments: [], options: { input: "-" } });
    add("command line", [...context.stdout, ...context.stderr].join("\n"));
  }
  return prints;
}

/** Parses an uplink that the console delivers. */
export async function printsOfUplink(wire: unknown): Promise<Prints> {
  const { prints, add } = recorder();
  addResult(add, await parseConsoleUplink(wire));
  return prints;
}

function addResult(add: (printer: string, text: string) => void, result: unknown): void {
  add("JSON", stringifyJson(result));
  add("inspect", inspect(result, { depth: 20, showHidden: true, maxStringLength: null }));
  add(REVEALED, stringifyJson(result, { reveal: true }));
}

function recorder() {
  const prints: Prints = new Map();
  const add = (printer: string, text: string): void => {
    prints.set(printer, `${prints.get(printer) ?? ""}${text}\n`);
  };
  const see =
    (printer: string) =>
    (...seen: unknown[]) => {
      add(printer, everythingPrinted(seen));
    };
  return { prints, add, see };
}
