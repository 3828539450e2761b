import type { Client } from "openapi-fetch";
import { CALLS } from "./operations.ts";
import type { Json } from "./shapes.ts";

/** What a program made by {@link writeClientProgram} exports: its calls by their names, in the order to make them. */
export interface ClientProgram {
  readonly callsOf: (
    client: Client<never>,
  ) => readonly (readonly [
    call: string,
    send: () => Promise<{ readonly data?: string; readonly response: Response }>,
  ])[];
}

/** Replaces a value of a sample by the value that the server has for it. */
export type Substitute = (value: unknown, call: string) => unknown;

const ORDER = ["get", "post", "put", "delete"];

/**
 * Writes a program on openapi-fetch that makes every call of an OpenAPI document with the values of its samples.
 *
 * Reads come first, then what creates, changes and deletes; the longest path first, because it needs those above it.
 */
export function writeClientProgram(document: Json, types: string, substitute: Substitute): string {
  const calls = Object.entries(document["paths"] as Record<string, Record<string, Operation>>)
    .flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        operation[CALLS].map((call) => ({ call, method, path, operation })),
      ),
    )
    .sort(
      (a, b) =>
        ORDER.indexOf(a.method) - ORDER.indexOf(b.method) ||
        b.path.split("/").length - a.path.split("/").length,
    );
  const lines = calls.map(
    ({ call, method, path, operation }) =>
      `  [${JSON.stringify(call)}, () => client.${method.toUpperCase()}(${JSON.stringify(path)}, ${optionsOf(operation, call, substitute)})],`,
  );
  return `import type { Client } from "openapi-fetch";
import type { paths } from ${JSON.stringify(types)};

export const callsOf = (client: Client<paths>) => [
${lines.join("\n")}
] as const;
`;
}

interface Operation {
  readonly [CALLS]: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly example?: unknown;
    readonly [CALLS]?: readonly string[];
  }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
    >;
  };
}

function optionsOf(operation: Operation, call: string, substitute: Substitute): string {
  const { parameters = [], requestBody } = operation;
  const inPath = parameters.filter((each) => each.in === "path");
  const inQuery = parameters.filter(
    ({ in: where, [CALLS]: calls, required, example }) =>
      where === "query" &&
      example !== undefined &&
      (required || calls === undefined || calls.includes(call)),
  );
  const valuesOf = (some: typeof parameters): Json =>
    Object.fromEntries(some.map(({ name, example }) => [name, substitute(example, call)]));
  const body = requestBody?.content["application/json"]?.examples?.[call]?.value;
  return JSON.stringify({
    params: {
      ...(inPath.length > 0 && { path: valuesOf(inPath) }),
      ...(inQuery.length > 0 && { query: valuesOf(inQuery) }),
    },
    ...(body !== undefined && { body: substitute(body, call) }),
    // The services set no content-type that would tell a string from JSON.
    parseAs: "text",
  });
}
