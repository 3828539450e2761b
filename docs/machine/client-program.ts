import { CALLS } from "./operations.ts";
import type { Json } from "./shapes.ts";

/** What a program made by {@link writeClientProgram} exports. */
export interface ClientProgram {
  readonly run: (
    baseUrl: string,
    headers: Readonly<Record<string, string>>,
  ) => Promise<CallResult[]>;
}

/** What came of one call. */
export interface CallResult {
  readonly call: string;
  readonly status: number;
  readonly data: unknown;
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
  const blocks = calls.map(
    ({ call, method, path, operation }) => `
  {
    const { data, response } = await client.${method.toUpperCase()}(${JSON.stringify(path)}, ${optionsOf(operation, call, substitute)});
    results.push({ call: ${JSON.stringify(call)}, status: response.status, data: ${mayBeText(operation) ? "readEither(data)" : "data"} });
  }`,
  );
  return `import createClient from "openapi-fetch";
import type { paths } from ${JSON.stringify(types)};

function readEither(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return text;
  }
}

export async function run(baseUrl: string, headers: Record<string, string>) {
  const client = createClient<paths>({ baseUrl, headers });
  const results: { call: string; status: number; data: unknown }[] = [];
${blocks.join("")}
  return results;
}
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
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<
  Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
>;

/** Whether a response of success may be a string; the services set no content-type that would tell. */
function mayBeText({ responses }: Operation): boolean {
  return Object.entries(responses).some(
    ([status, { content }]) => status.startsWith("2") && content?.["text/plain"] !== undefined,
  );
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
    ...(mayBeText(operation) && { parseAs: "text" }),
  }).replace('"parseAs":"text"', '"parseAs":"text" as const');
}
