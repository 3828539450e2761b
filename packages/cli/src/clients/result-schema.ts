import type * as z from "@fieldmesh/core/internal/zod";
import type { Endpoint } from "@fieldmesh/http/internal";
import type { Clients } from "../context.ts";

/** Returns what a method returns: a schema, `"text"`, or `undefined` if no table has it. `find` looks into the list. */
export async function resultOf(
  service: keyof Clients,
  [resource = "", name = ""]: readonly string[],
): Promise<z.core.$ZodType | "text" | undefined> {
  const tables: unknown = await TABLES[service]();
  const rows = (tables as Record<string, Record<string, Endpoint>>)[resource] ?? {};
  const { result } = rows[name] ?? rows["list"] ?? {};
  if (result === undefined || !("kind" in result)) return result;
  // The message of a response, such as that a record was deleted.
  return "schema" in result ? result.schema : "text";
}

/** Returns the fields that the records of a list may have. */
export async function fieldsOf(
  service: keyof Clients,
  words: readonly string[],
): Promise<readonly string[]> {
  const schema = await resultOf(service, words);
  if (schema === undefined || schema === "text") return [];
  const { kindsOf } = await import("@fieldmesh/core/internal/schema");
  const namesOf = (each: z.core.$ZodType): string[] =>
    kindsOf(each).kinds.flatMap(({ _zod: { def } }) => {
      if (def.type === "array") return namesOf(def.element);
      return def.type === "object" ? Object.keys(def.shape) : [];
    });
  return namesOf(schema);
}

const TABLES = {
  console: () => import("@fieldmesh/console-client/endpoints"),
  ledger: () => import("@fieldmesh/ledger-client/endpoints"),
  mapper: () => import("@fieldmesh/mapper-client/endpoints"),
  mobile: () => import("@fieldmesh/mobile-client/endpoints"),
} as const;
