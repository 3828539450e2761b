import type { Endpoint } from "@fieldmesh/http/internal";
import type { Clients, Context } from "../context.ts";

/**
 * Returns a function that hides secrets, personal data and values that no schema declares in the result of a method, unless `--reveal`
 * is set. Says once that something is hidden. The ledger is public, so nothing in it is hidden.
 */
export async function hideValues(
  service: keyof Clients,
  [resource = "", name = ""]: readonly string[],
  { reveal, output }: Context,
): Promise<(result: unknown) => unknown> {
  if (service === "ledger" || reveal) return (result) => result;
  const { redact } = await import("@fieldmesh/core/internal/schema");
  const tables: unknown = await TABLES[service]();
  const rows = (tables as Record<string, Record<string, Endpoint>>)[resource] ?? {};
  // `find` looks into the list.
  const { result } = rows[name] ?? rows["list"] ?? {};
  // The message of a response, such as that a record was deleted.
  if (result !== undefined && "kind" in result && result.kind === "text") return (text) => text;
  const isSchema = result === undefined || !("kind" in result);
  const schema = isSchema ? result : "schema" in result ? result.schema : undefined;
  let isTold = false;
  return (value) =>
    redact(schema, value, (_text, why) => {
      // Each device of the console has a key.
      if (isTold || (why === "sensitive" && service !== "mobile")) return;
      isTold = true;
      output.note("Personal data and undeclared fields are hidden; --reveal shows them.");
    });
}

const TABLES = {
  console: () => import("@fieldmesh/console-client/endpoints"),
  mapper: () => import("@fieldmesh/mapper-client/endpoints"),
  mobile: () => import("@fieldmesh/mobile-client/endpoints"),
} as const;
