import type * as z from "@fieldmesh/core/internal/zod";
import { isRecord, parseJson, mistake } from "@fieldmesh/core/internal";
import { EventParseError } from "@fieldmesh/webhook-types/parse";
import { isJson } from "./read-input.ts";
import { jsonResponse, textResponse } from "./responses.ts";
import type { Handler } from "./serve.ts";

export interface ActionInput {
  readonly body: { readonly [field: string]: unknown };
  /** The part of the path that names one thing. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly request: Request;
}

/** Returns what is sent as JSON: nothing for a 204, or a Response. A TypeError that it throws is a 400 with its message. */
export type Action = (input: ActionInput) => unknown;

/** Actions by method and path, such as `POST /deliveries/:id/replay`. */
export type Actions = Readonly<Record<string, Action>>;

/** Serves actions below a prefix. The services themselves have no such paths. */
export function serveActions(prefix: string, actions: Actions): Handler {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const [, collection = "", id = "", verb = ""] = pathname.slice(prefix.length).split("/");
    const route = [`/${collection}`, id && ":id", verb].filter(Boolean).join("/");
    const name = `${request.method} ${route}`;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action === undefined) return textResponse("Not Found", { status: 404 });
    // A web page cannot send this type without a preflight request, which is rejected.
    if (request.method === "POST" && !isJson(request))
      return textResponse("Send content-type: application/json", { status: 415 });
    try {
      const body = request.method === "POST" ? await readBody(request) : {};
      const input = { body, id: decodeURIComponent(id), query: searchParams, request };
      const result = await action(input);
      if (result instanceof Response) return result;
      return result === undefined ? new Response(null, { status: 204 }) : jsonResponse(result);
    } catch (error) {
      const isOfInput = [TypeError, RangeError, URIError].some((each) => error instanceof each);
      if (!isOfInput && !(error instanceof EventParseError)) throw error;
      return textResponse((error as Error).message, { status: 400 });
    }
  };
}

/** Returns the checked body. Names what does not fit, and never its value. */
export function checkBody<Value>(schema: z.ZodMiniType<Value>, body: ActionInput["body"]): Value {
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  const [issue] = error.issues;
  const keys = issue?.code === "unrecognized_keys" ? issue.keys : (issue?.path ?? []);
  throw mistake(`Check ${keys.join(".") || "the body"}: it is missing, unknown or not valid.`);
}

async function readBody(request: Request): Promise<ActionInput["body"]> {
  const text = await request.text();
  let value: unknown;
  try {
    value = text === "" ? {} : parseJson(text);
  } catch {
    throw mistake("The body is not JSON.");
  }
  if (!isRecord(value)) throw mistake("The body must be a JSON object.");
  return value;
}
