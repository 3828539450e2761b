import { join } from "node:path";
import * as z from "zod";
import { canaries } from "../canaries/canaries.ts";
import {
  kindOf,
  type AnyRequest,
  type ClientMethods,
  type ClientOptions,
  type Endpoint,
  type Page,
  type Pager,
} from "@fieldmesh/http/internal";
import { type Service, services } from "../../packages/sandbox/src/services.ts";
import type { SampledRow } from "../../packages/sandbox/src/engine/serve/with-samples.ts";

/** Any method of any client. */
export type Method = (...args: unknown[]) => Promise<unknown>;

/** The key that every client of these tests sends. */
export const API_KEY = canaries.apiKey;

/** Returns the folder with the sources of a service's client. */
export function sourcesOf(service: Service): string {
  return join(import.meta.dirname, "../../packages", service.package, "src");
}

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

/** One row of a table. */
export type RowUnderTest = (typeof rows)[number];

/** Calls the method of a row with its sample as a user would, with Secrets and converted values. */
export function callWithSample(each: RowUnderTest, options: ClientOptions): Promise<unknown> {
  return callWith(each, options, userInput(each.row));
}

/** Sends the sample of a row with `client.request`, as a user would for an endpoint that the client does not have. */
export function requestSample(
  { service, row }: RowUnderTest,
  options: ClientOptions,
): Promise<unknown> {
  const { request } = service.createClient({ ...options, apiKey: API_KEY }) as ClientMethods<
    unknown,
    unknown
  >;
  const { path, query, body } = wireParts(row);
  const [method, template = ""] = row.route.split(" ");
  const [route = "", fixedQuery] = template.split("?");
  return request({
    method: method as AnyRequest["method"],
    path: route.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String(path[name])),
    ) as "/",
    query: {
      ...Object.fromEntries(new URLSearchParams(fixedQuery)),
      ...(query as AnyRequest["query"]),
    },
    ...(row.body !== undefined && { body }),
  });
}

/** Calls the method of a row. Returns its result in the envelope of the wire format. */
export async function callWith(
  { service, resource, name, row }: RowUnderTest,
  options: ClientOptions,
  input: unknown,
): Promise<unknown> {
  const client = service.createClient({ ...options, apiKey: API_KEY }) as Readonly<
    Record<string, Readonly<Record<string, Method>>>
  >;
  const method = client[resource]![name]!;
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

/** Returns whether a row has an input. */
function takesInput(row: Endpoint): boolean {
  return row.body !== undefined || Object.keys(row.path).length + Object.keys(row.query).length > 0;
}

/** Returns the sample input of a row, decoded from the wire format to the values of the user. */
export function userInput(row: SampledRow): Record<string, unknown> {
  const { path, query, body } = wireParts(row);
  return {
    ...z.decode(z.object(row.path), path as never),
    ...z.decode(z.object(row.query), query as never),
    ...(row.body === undefined ? {} : (z.decode(row.body, body as never) as object)),
  };
}

/** Returns the sample input of a row, split into the parts of the request. */
export function wireParts(
  row: SampledRow,
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
