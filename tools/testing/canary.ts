import { inspect } from "node:util";
import type { CallEvent, Hooks } from "../../packages/http/src/index.ts";

/**
 * Makes every hook there is, for the tests that look for a secret in what hooks receive. A new hook does not compile
 * until it is listed here; from then on each of those tests watches it.
 */
export function everyHook(
  record: (hook: keyof Hooks, event: CallEvent) => unknown,
): Required<Hooks> {
  return {
    onRequest: (event) => record("onRequest", event),
    onResponse: (event) => record("onResponse", event),
    onFailure: (event) => record("onFailure", event),
  } satisfies Required<Hooks>;
}

/** Returns everything that a person, a log or an error tracker can see of a value. */
export function everythingPrinted(value: unknown): string {
  const parts = [
    String(value),
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each)) ??
      "",
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
