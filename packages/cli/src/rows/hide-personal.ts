import type { Endpoint } from "@fieldmesh/http/internal";
import type { Clients, Context } from "../context.ts";
import type { Row } from "./row.ts";

/** Hides personal data in results unless `--reveal` is set. Only the mobile service has any; undeclared fields are hidden too. */
export async function hidePersonal(
  service: keyof Clients,
  row: Row,
  { reveal, output }: Context,
): Promise<(result: unknown) => unknown> {
  if (service !== "mobile" || reveal) return (result) => result;
  const { redact } = await import("@fieldmesh/core/internal/schema");
  const tables: unknown = await import("@fieldmesh/mobile-client/endpoints");
  const [resource = "", name = ""] = row.method;
  const { result } = (tables as Record<string, Record<string, Endpoint>>)[resource]?.[name] ?? {};
  const schema =
    result === undefined || !("kind" in result)
      ? result
      : "schema" in result
        ? result.schema
        : undefined;
  let isTold = false;
  return (value) =>
    redact(schema, value, () => {
      if (!isTold)
        output.note("Personal data and undeclared fields are hidden; --reveal shows them.");
      isTold = true;
    });
}
