import { jsonResponse } from "../serve/responses.ts";
import type { Layer } from "../serve/call.ts";
import type { ConsoleState } from "./state/state.ts";

/**
 * The layer that requires the header `key`. Its 401 is JSON without a content type. The console's message for a missing header is
 * not known. The other two messages are those of running deployments.
 */
export function checkKey({ keys }: ConsoleState): Layer {
  return (next) => async (call) => {
    const key = call.request.headers.get("key");
    if (key === null || key === "") return unauthorized("api_key_missing");
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

function unauthorized(message: string): Response {
  return jsonResponse({ message }, { status: 401, contentType: undefined });
}
