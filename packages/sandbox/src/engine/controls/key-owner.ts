import { STATUS } from "@fieldmesh/http/internal";
import type { LoggedRequest } from "../log/logged-request.ts";
import type { RequestRow } from "./wire.ts";

export interface KeysOf {
  readonly console: { readonly apiKey: string; readonly unconfirmedApiKey: string };
  readonly mobile: {
    readonly apiKey: string;
    readonly liveApiKey: string;
    readonly keys: Readonly<Record<string, string>>;
  };
}

/** Whose key a request carries. */
type KeyOwner = NonNullable<RequestRow["key"]>;

/** Tells whose key a request carries. `undefined` for one without a key. */
export function keyOwner(
  { service, headers }: Pick<LoggedRequest, "service" | "headers">,
  keys: KeysOf,
): KeyOwner | undefined {
  const sent = headers["key"] ?? headers["authorization"]?.replace(/^Bearer /i, "");
  if (sent === undefined || sent === "") return undefined;
  if ((service === "console" || service === "mobile") && sent === keys[service].apiKey)
    return "printed";
  if ([keys.console.apiKey, keys.console.unconfirmedApiKey].includes(sent)) return "console";
  const { apiKey, liveApiKey, keys: others } = keys.mobile;
  return [apiKey, liveApiKey, ...Object.values(others)].includes(sent) ? "mobile" : "unknown";
}

/** Says that a rejected request carries the key of another service. `undefined` if it does not. */
export function foreignKeyNote(
  request: Pick<LoggedRequest, "service" | "headers" | "status">,
  keys: KeysOf,
): string | undefined {
  if (request.status !== STATUS.unauthorized) return undefined;
  const owner = keyOwner(request, keys);
  const isForeign = (owner === "console" || owner === "mobile") && owner !== request.service;
  return isForeign
    ? `this is the key of ${owner === "console" ? "the console" : "the mobile service"}`
    : undefined;
}
