import { inspect } from "node:util";

/** All that a person, a log or a tracker could get to see of a value. */
export function everythingPrinted(value: unknown): string {
  const parts = [
    String(value),
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify(value) ?? "",
  ];
  if (value instanceof Error) {
    parts.push(
      value.message,
      value.stack ?? "",
      everythingPrinted(value.cause),
      Object.keys(value).join(),
    );
  }
  return parts.join("\n");
}
