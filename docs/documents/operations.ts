import { contractOf } from "@fieldmesh/core/internal/schema";
import type { Endpoint } from "@fieldmesh/http/internal";
import type ts from "typescript";
import type { SampledRow, Service } from "@fieldmesh/sandbox/internal/services";
import { endpointsFile, type SourceTypes, type Text } from "./source-types.ts";

/** The field in which a document says which calls of our client an operation or a parameter is for. */
export const CALLS = "x-fieldmesh-calls";

/** A row with what TypeScript and its doc comment say of it. */
export interface Row {
  readonly resource: string;
  /** As the client has it: `labels.get`. */
  readonly call: string;
  readonly endpoint: SampledRow;
  readonly text: Text;
  readonly input: ts.Type | undefined;
  readonly output: ts.Type | undefined;
  readonly wireInput: ts.Type | undefined;
  readonly wireOutput: ts.Type | undefined;
  /** The query in the route itself. */
  readonly fixedQuery: Readonly<Record<string, string>>;
}

/** What OpenAPI calls an operation: all rows of one method and path. */
export interface Operation {
  readonly method: string;
  /** With parameters in braces, without a slash at the end: no rule of OpenAPI's linters allows one. */
  readonly path: string;
  readonly rows: readonly [Row, ...Row[]];
}

/** The operations of a service, in the order of its tables, with or without the observed rules. */
export function operationsOf(
  service: Service,
  types: SourceTypes,
  observedRules: boolean,
): Operation[] {
  const operations = new Map<string, Operation>();
  for (const row of rowsOf(service, types, observedRules)) {
    const [method = "", template = ""] = row.endpoint.route.split(" ");
    const [written = ""] = template.split("?");
    const path = written.replace(/\/$/, "").replace(/:(\w+)/g, "{$1}");
    const key = `${method} ${path.replace(/\{\w+\}/g, "{}")}`;
    const same = operations.get(key);
    operations.set(key, {
      method: method.toLowerCase(),
      path: same?.path ?? path,
      rows: same === undefined ? [row] : [...same.rows, row],
    });
  }
  return withSharedNames([...operations.values()]);
}

/** Paths that differ only in the names of their parameters are one path, so they need the same names. */
function withSharedNames(operations: readonly Operation[]): Operation[] {
  const names = new Map<string, string>();
  for (const { path } of operations) {
    const bare = path.replace(/\{\w+\}/g, "{}");
    const known = names.get(bare);
    // The longer name says more: {device_id} beside {id}.
    if (known === undefined || path.length > known.length) names.set(bare, path);
  }
  return operations.map((operation) => ({
    ...operation,
    path: names.get(operation.path.replace(/\{\w+\}/g, "{}")) ?? operation.path,
  }));
}

/** The rows of a service, in the order of its tables, with or without the observed rules: by default as its client checks. */
export function rowsOf(
  service: Service,
  types: SourceTypes,
  observedRules = service.checksObservedRules,
): Row[] {
  const { package: id, tables } = service;
  return Object.entries(tables).flatMap(([resource, table]) => {
    const exported = types.exportsOf(endpointsFile(id)).get(resource);
    return Object.entries(table).map(([name, endpoint]) => {
      const type = types.field(exported, name);
      const [input, output, , wireInput, wireOutput] = type ? types.argumentsOf(type) : [];
      const query = endpoint.route.split("?")[1];
      return {
        resource,
        call: `${resource}.${name}`,
        endpoint: observedRules ? endpoint : withoutObservedRules(endpoint),
        text: types.textOfField(exported, name),
        input,
        output,
        wireInput,
        wireOutput,
        fixedQuery: Object.fromEntries(new URLSearchParams(query)),
      };
    });
  });
}

/** The row with what the contract states of its input. */
function withoutObservedRules(endpoint: SampledRow): SampledRow {
  const { path, query, body } = endpoint;
  return {
    ...endpoint,
    path: contractsOf(path),
    query: contractsOf(query),
    ...(body !== undefined && { body: contractOf(body) }),
  };
}

function contractsOf(schemas: Endpoint["path"]): Endpoint["path"] {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, contractOf(schema)]),
  );
}
