import { jsonResponse } from "../serve/responses.ts";
import type { Layer } from "../serve/call.ts";
import type { ConsoleState } from "./state/state.ts";

/** The layer that requires the header `key`. Its errors are those of running deployments, in JSON without a content type (observed). */
export function checkKey({ keys }: ConsoleState): Layer {
  return (next) => async (call) => {
    const key = call.request.headers.get("key") ?? "";
    const state = keys.get(key);
    if (state === "confirmed") return next(call);
    call.keyRejected = true;
    const contentType = undefined;
    if (key === "") {
      const body = { type: "forbidden", errors: ["Key header is missing"] };
      return jsonResponse(body, { status: 403, contentType });
    }
    const message =
      state === "unconfirmed" ? "api_key_needs_email_verification" : "invalid_api_key";
    return jsonResponse({ message }, { status: 401, contentType });
  };
}
