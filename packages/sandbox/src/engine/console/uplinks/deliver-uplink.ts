import {
  ENDED,
  isLoopback,
  type Clock,
  parseJson,
  type Secret,
  stringifyJson,
} from "@fieldmesh/core/internal";
import type { IntegrationRecord } from "../state/state.ts";

/** The outcome of one uplink for one integration. It contains no address, no header and no body. */
export interface IntegrationDelivery {
  readonly integration: { readonly id: string; readonly name: string };
  /**
   * `accepted` is a 2xx, `rejected` any other response, `no_response` a missing response, and `not_sent` a request that the sandbox
   * does not send. `simulated` is an integration of another type than HTTP, which only gets its event.
   */
  readonly outcome: "accepted" | "rejected" | "no_response" | "not_sent" | "simulated";
  /** The status of the response. `undefined` if none arrived. */
  readonly status: number | undefined;
  /** Why it failed, and what to do. `undefined` if it did not fail. */
  readonly failure: string | undefined;
}

/** In milliseconds of the sandbox's clock. The spec does not say how long the console waits. */
const RESPONSE_TIMEOUT = 10_000;

/** The body that created an HTTP integration, without its name and type. */
interface Target {
  readonly endpoint: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url_params?: Readonly<Record<string, string>>;
}

/** Sends an uplink to an integration, once. Never rejects. */
export async function deliverUplink(
  { id, name, target }: IntegrationRecord,
  body: object,
  { clock, stopped }: { readonly clock: Clock; readonly stopped: AbortSignal },
): Promise<IntegrationDelivery> {
  const result = (
    outcome: IntegrationDelivery["outcome"],
    failure?: string,
    status?: number,
  ): IntegrationDelivery => ({ integration: { id, name }, outcome, status, failure });
  if (target === undefined) return result("simulated");
  const request = requestFor(target, body);
  if (typeof request === "string") return result("not_sent", request);
  const responded = new AbortController();
  const late = new AbortController();
  clock.sleep(RESPONSE_TIMEOUT, responded.signal).then(
    () => late.abort(ENDED),
    () => {},
  );
  try {
    const response = await fetch(request, { signal: AbortSignal.any([stopped, late.signal]) });
    // An unread body would keep its connection open.
    await response.body?.cancel();
    if (response.ok) return result("accepted", undefined, response.status);
    return result("rejected", `it responded with ${response.status}`, response.status);
  } catch {
    const within = `no response within ${RESPONSE_TIMEOUT / 1000} s`;
    return result("no_response", late.signal.aborted ? within : "no connection, or one that broke");
  } finally {
    responded.abort(ENDED);
  }
}

/** Returns a request as the event of an uplink shows it (observed). All of it may be secret. */
export function shownRequest(target: Secret, body: object) {
  const { endpoint: url, method, headers = {}, url_params = {} } = readTarget(target);
  const filled = Object.entries(url_params).map(([key, each]) => [key, interpolate(each, body)]);
  return { method, url, headers, url_params: Object.fromEntries(filled) };
}

function readTarget(target: Secret): Target {
  return parseJson(target.reveal()) as Target;
}

const WITHOUT_BODY = new Set(["GET", "HEAD"]);

/** Returns the request, or why there is none. The reason quotes nothing of the credentials. */
function requestFor(target: Secret, body: object): Request | string {
  const { endpoint, method, headers = {}, url_params = {} } = readTarget(target);
  if (!URL.canParse(endpoint) || !/^https?:/i.test(endpoint))
    return "its endpoint is no http or https URL";
  const url = new URL(endpoint);
  if (!isLoopback(url.hostname))
    return "the sandbox delivers to this machine only: use an endpoint on 127.0.0.1 or localhost";
  for (const [key, template] of Object.entries(url_params))
    url.searchParams.append(key, interpolate(template, body));
  const verb = method.toUpperCase();
  const hasBody = !WITHOUT_BODY.has(verb);
  try {
    return new Request(url, {
      method: verb,
      headers: { ...(hasBody && { "content-type": "application/json" }), ...lowerCase(headers) },
      ...(hasBody && { body: stringifyJson(body) }),
      // A redirect leads to an address that was not configured.
      redirect: "manual",
    });
  } catch {
    return "its endpoint holds a user and password, or its method or headers are not those of HTTP";
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** Fills in placeholders such as `{{dev_eui}}` or `{{decoded.payload.level}}` from the uplink. Missing values become empty. */
function interpolate(template: string, body: object): string {
  const values = { ...body, device_id: (body as { id?: unknown }).id };
  return template.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_whole, path: string) => {
    const found = path
      .split(".")
      .reduce<unknown>(
        (inner, key) =>
          typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
            ? (inner as Record<string, unknown>)[key]
            : undefined,
        values,
      );
    if (found === undefined || found === null) return "";
    return typeof found === "string" ? found : stringifyJson(found);
  });
}
