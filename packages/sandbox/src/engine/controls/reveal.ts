import * as z from "zod/mini";
import type { RequestDetails } from "../request-log.ts";
import { parseBody } from "./request-details.ts";
import { checkBody } from "./serve-actions.ts";

/** Names one value of a request or its response. */
const place = z.strictObject({
  of: z.enum(["request", "response"]),
  part: z.enum(["header", "query", "body"]),
  /** The name of a header or a query parameter, or a JSON pointer in the body: `""` is all of it. */
  name: z.string(),
});

/** Returns one hidden value as it was sent. Throws a TypeError where there is none. */
export function revealValue(
  { request, call, response }: RequestDetails,
  body: Readonly<Record<string, unknown>>,
): unknown {
  const { of, part, name } = checkBody(place, body);
  const message = of === "request" ? request : response;
  const value =
    message === undefined
      ? undefined
      : part === "header"
        ? message.headers[name]
        : part === "query"
          ? call.url.searchParams.get(name)
          : valueAt(message.body ?? "", name);
  if (value === undefined) throw new TypeError("There is no such value.");
  return value;
}

/** Follows a JSON pointer. A body that is not JSON has only itself. */
function valueAt(body: string, pointer: string): unknown {
  const parsed = parseBody(body);
  let value: unknown = "json" in parsed ? parsed.json : parsed.text;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
