import * as consoleTables from "@fieldmesh/console-client/endpoints";
import { isLoopback, recordOf } from "@fieldmesh/core/internal";
import type { Endpoint } from "@fieldmesh/http/internal";
import * as ledgerTables from "@fieldmesh/ledger-client/endpoints";
import * as mapperTables from "@fieldmesh/mapper-client/endpoints";
import * as mobileTables from "@fieldmesh/mobile-client/endpoints";
import type { ServiceName } from "../engine/services/served.ts";
import type { NodeHandler } from "./node-listener.ts";

const METHODS: Readonly<Record<ServiceName, ReadonlySet<string>>> = {
  console: methodsOf(consoleTables),
  ledger: methodsOf(ledgerTables),
  mapper: methodsOf(mapperTables),
  mobile: methodsOf(mobileTables),
};
/** The headers that every client sends. A browser asks for others, such as those of a trace. */
const SENT = ["key", "authorization", "content-type", "idempotency-key"];
/** The headers of responses that programs read: rate limits, retry hints and request ids. */
const EXPOSED = [
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "retry-after",
  "date",
  "x-request-id",
  "request-id",
  "idempotency-replayed",
].join(", ");

/** The path of a service, also in a fork. The controls, the page and the webhooks have other paths. */
const SERVICE = /^\/(?:forks\/[^/]+\/)*(console|ledger|mapper|mobile)(?:\/|$)/;

/** Lets web pages on this machine call the services. Preflight requests have no key and count in no rate limit. */
export function withCors(handler: NodeHandler): NodeHandler {
  return async (request, connection) => {
    const { pathname } = new URL(request.url);
    const [, service] = SERVICE.exec(pathname) ?? [];
    const origin = request.headers.get("origin");
    if (service === undefined || origin === null || !isPageHere(origin))
      return handler(request, connection);
    const isPreflight =
      request.method === "OPTIONS" && request.headers.has("access-control-request-method");
    const response = isPreflight
      ? preflight(request, METHODS[service as ServiceName])
      : await handler(request, connection);
    response.headers.set("access-control-allow-origin", origin);
    response.headers.append("vary", "Origin");
    response.headers.set("access-control-expose-headers", EXPOSED);
    return response;
  };
}

function isPageHere(origin: string): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && isLoopback(new URL(origin).hostname);
}

function preflight({ headers }: Request, methods: ReadonlySet<string>): Response {
  const asked = (headers.get("access-control-request-headers") ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": [...methods].join(", "),
      "access-control-allow-headers": [...new Set([...SENT, ...asked])].join(", "),
    },
  });
}

function methodsOf(tables: Readonly<Record<string, object>>): ReadonlySet<string> {
  const rows = Object.values(tables).flatMap(
    (table) => Object.values(recordOf(table)) as Pick<Endpoint, "route">[],
  );
  return new Set(rows.flatMap(({ route }) => route.split(" ", 1)));
}
