import type { Clients, Context } from "../context.ts";
import { resultOf } from "./result-schema.ts";

/**
 * Returns a function that hides secrets, personal data and values that no schema declares in the result of a method, unless `--reveal`
 * is set. Says once that something is hidden. The ledger is public, so nothing in it is hidden.
 */
export async function hideValues(
  service: keyof Clients,
  words: readonly string[],
  { reveal, output }: Context,
): Promise<(result: unknown) => unknown> {
  if (service === "ledger" || reveal) return (result) => result;
  const { redact } = await import("@fieldmesh/core/internal/schema");
  const schema = await resultOf(service, words);
  if (schema === "text") return (text) => text;
  let isTold = false;
  return (value) =>
    redact(schema, value, (_text, why) => {
      // Each device of the console has a key.
      if (isTold || (why === "sensitive" && service !== "mobile")) return;
      isTold = true;
      output.note("Personal data and undeclared fields are hidden; --reveal shows them.");
    });
}
