import { jsonResponse } from "../serve/responses.ts";
import type { Layer } from "../serve/call.ts";
import type { ConsoleState } from "./state/state.ts";

/** The layer that requires the header `key`. Its errors are those of running deployments, in JSON without a content type (observed). */
export function checkKey({ keys }: ConsoleState): Layer {
  return (next) => async (call) => {
    const key = call.request.headers.get("key");
    if (key === null || key === "") return forbidden("Key header is missing");
    switch (keys.get(key)) {
      case "confirmed":
        return next(call);
      case "unconfirmed":
        return unauthorized("api_key_needs_email_verification");
      case undefined:
        return unauthorized("invalid_api_key");
    }
  };
}

function forbidden(message: string): Response {
  const body = { type: "forbidden", errors: [message] };
  return jsonResponse(body, { status: 403, contentType: undefined });
}

function unauthorized(message: string): Response {
  return jsonResponse({ message }, { status: 401, contentType: undefined });
}
