import { mistake } from "@fieldmesh/core/internal";
import * as z from "@fieldmesh/core/internal/zod";
import type { RequestDetails } from "../log/logged-request.ts";
import { ownOf, parseBody } from "./request-details.ts";
import { checkBody } from "../serve/serve-actions.ts";

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
        ? ownOf(message.headers, name)
        : part === "query"
          ? (call.url.searchParams.get(name) ?? undefined)
          : message.body === undefined
            ? undefined
            : valueAt(contentOf(message.body), name);
  return existing(value);
}

const pointer = z.strictObject({ name: z.string() });

/** Returns one hidden value of an event as it is stored. Throws a TypeError where there is none. */
export function revealInEvent(event: unknown, body: Readonly<Record<string, unknown>>): unknown {
  return existing(valueAt(event, checkBody(pointer, body).name));
}

function existing(value: unknown): unknown {
  if (value === undefined) throw mistake("There is no such value.");
  return value;
}

/** Returns the JSON of a body, or the string of one that is not JSON. */
function contentOf(body: string): unknown {
  const parsed = parseBody(body);
  return "json" in parsed ? parsed.json : parsed.text;
}

/** Follows a JSON pointer. `""` is the whole value. */
function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const part of path.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
