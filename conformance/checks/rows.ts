import { parseJson, stringifyJson } from "@fieldmesh/core";
import {
  type Endpoint,
  kindOf,
  type Page,
  type Pager,
  responseSchema,
} from "@fieldmesh/http/internal";
import { type SampledRow, services } from "@fieldmesh/sandbox/internal/services";
import * as z from "zod/mini";
import { expectSame } from "../expect.ts";
import type { Check } from "../setting.ts";

type Method = (...args: unknown[]) => Promise<unknown>;

/** Checks every row of every service: its method sends the sample and returns the response of the server. */
export const rowChecks: readonly Check[] = services.flatMap((service) =>
  Object.entries(service.tables).flatMap(([resource, table]) =>
    Object.entries(table).map(([name, row]) => ({
      title: `${service.name}: ${resource}.${name} sends its input and returns its output`,
      run: async ({ samples }) => {
        const client = service.createClient({
          baseUrl: samples[service.name] ?? "",
          apiKey: "key-of-the-conformance-suite",
          retry: false,
        }) as Readonly<Record<string, Readonly<Record<string, Method>>>>;
        const method = client[resource]?.[name];
        if (method === undefined) throw new Error("the client has no such method");
        const output = await enveloped(row, hasInput(row) ? method(inputOf(row)) : method());
        const wire =
          kindOf(row.result) === "text"
            ? output
            : parseJson(stringifyJson(z.encode(responseSchema(row), output)));
        expectSame(wire, row.sample.output);
      },
    })),
  ),
);

/** Returns the output in wire format, because pages and data come out of an envelope. */
async function enveloped(row: Endpoint, output: Promise<unknown>): Promise<unknown> {
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

const hasInput = ({ path, query, body }: Endpoint): boolean =>
  body !== undefined || Object.keys({ ...path, ...query }).length > 0;

/** Returns the sample as a user writes it, with Secrets, dates and numbers in place of the wire values. */
function inputOf(row: SampledRow): object {
  const of = (where: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(row.sample.input).filter(([key]) => where(key)));
  const isPath = (key: string): boolean => key in row.path;
  const isQuery = (key: string): boolean => !isPath(key) && key in row.query;
  return {
    ...z.decode(z.object(row.path), of(isPath) as never),
    ...z.decode(z.object(row.query), of(isQuery) as never),
    ...(row.body !== undefined &&
      (z.decode(row.body, of((key) => !isPath(key) && !isQuery(key)) as never) as object)),
  };
}
