import { join } from "node:path";
import * as z from "zod";
import { createConsoleClient } from "@fieldmesh/console-client";
import * as consoleTables from "@fieldmesh/console-client/endpoints";
import {
  kindOf,
  type ClientOptions,
  type Endpoint,
  type Page,
  type Pager,
  type Table,
} from "@fieldmesh/http";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import * as ledgerTables from "@fieldmesh/ledger-client/endpoints";
import { createMapperClient } from "@fieldmesh/mapper-client";
import * as mapperTables from "@fieldmesh/mapper-client/endpoints";
import { createMobileClient } from "@fieldmesh/mobile-client";
import * as mobileTables from "@fieldmesh/mobile-client/endpoints";

/** A service as the contract test sees it: its tables, and how a client of it is made. */
export interface ServiceUnderTest {
  readonly name: string;
  readonly tables: Readonly<Record<string, Table>>;
  readonly sources: string;
  /** The header that carries the credential, or `undefined` where the service has none. */
  readonly credentialHeader: string | undefined;
  /** What stands before it there. */
  readonly credentialPrefix: string;
  /** Personal data is text in what a method gives, and hidden everywhere else; only what grants access is a Secret. */
  readonly answersPersonalData: boolean;
  readonly createClient: (
    options: ClientOptions,
  ) => Readonly<Record<string, Readonly<Record<string, Method>>>>;
}

/** Any method of any client. */
export type Method = (...args: unknown[]) => Promise<unknown>;

/** The key that every client of these tests is given. */
export const API_KEY = "canary-api-key-5b1d";

/** Every service there is: a new one is added here and has every row proved. */
const services: readonly ServiceUnderTest[] = [
  {
    name: "console",
    tables: consoleTables,
    sources: join(import.meta.dirname, "../../console-client/src"),
    credentialHeader: "key",
    credentialPrefix: "",
    answersPersonalData: false,
    createClient: (options) => createConsoleClient({ ...options, apiKey: API_KEY }) as never,
  },
  {
    name: "ledger",
    tables: ledgerTables,
    sources: join(import.meta.dirname, "../../ledger-client/src"),
    credentialHeader: undefined,
    credentialPrefix: "",
    answersPersonalData: false,
    createClient: (options) => createLedgerClient(options) as never,
  },
  {
    name: "mapper",
    tables: mapperTables,
    sources: join(import.meta.dirname, "../../mapper-client/src"),
    credentialHeader: undefined,
    credentialPrefix: "",
    answersPersonalData: false,
    // Its one method stands on the client itself.
    createClient: (options) => ({ mapper: createMapperClient(options) }) as never,
  },
  {
    name: "mobile",
    tables: mobileTables,
    sources: join(import.meta.dirname, "../../mobile-client/src"),
    credentialHeader: "authorization",
    credentialPrefix: "Bearer ",
    answersPersonalData: true,
    createClient: (options) => createMobileClient({ ...options, apiKey: API_KEY }) as never,
  },
];

/** Every row of every table, ready for `test.for`. */
export const rows = services.flatMap((service) =>
  Object.entries(service.tables).flatMap(([resource, table]) =>
    Object.entries(table).map(([name, row]) => ({
      call: `${resource}.${name}`,
      service,
      resource,
      name,
      row,
    })),
  ),
);

/** One of them. */
export type RowUnderTest = (typeof rows)[number];

/** Calls the method of a row with its sample, as a user would: secrets and conversions on the user's side. */
export function callWithSample(each: RowUnderTest, options: ClientOptions): Promise<unknown> {
  return callWith(each, options, userInput(each.row));
}

/** Calls the method of a row; gives what it gave in the envelope that stood on the wire. */
export async function callWith(
  { service, resource, name, row }: RowUnderTest,
  options: ClientOptions,
  input: unknown,
): Promise<unknown> {
  const method = service.createClient(options)[resource]![name]!;
  const output = takesInput(row) ? method(input) : method();
  switch (kindOf(row.result)) {
    case "page": {
      const { items, cursor }: Page<unknown> = await (output as unknown as Pager<unknown>).page();
      return { data: items, ...(cursor !== undefined && { cursor }) };
    }
    case "data":
      return { data: await output };
    default:
      return await output;
  }
}

/** Tells whether a row takes an input at all. */
function takesInput(row: Endpoint): boolean {
  return row.body !== undefined || Object.keys(row.path).length + Object.keys(row.query).length > 0;
}

/** The sample input of a row, decoded from the wire's side to the user's. */
export function userInput(row: Endpoint): Record<string, unknown> {
  const { path, query, body } = wireParts(row);
  return {
    ...z.decode(z.object(row.path), path as never),
    ...z.decode(z.object(row.query), query as never),
    ...(row.body === undefined ? {} : (z.decode(row.body, body as never) as object)),
  };
}

/** The sample input of a row, split as it goes on the wire. */
export function wireParts(
  row: Endpoint,
): Record<"path" | "query" | "body", Record<string, unknown>> {
  const parts = { path: {}, query: {}, body: {} } as Record<
    "path" | "query" | "body",
    Record<string, unknown>
  >;
  for (const [key, value] of Object.entries(row.sample.input)) {
    parts[key in row.path ? "path" : key in row.query ? "query" : "body"][key] = value;
  }
  return parts;
}
