import { type HttpHandler, HttpResponse, http } from "msw";
import type { Clock } from "@fieldmesh/core";
import type { Sandbox } from "./engine/sandbox.ts";
import type { Handler } from "./engine/serve.ts";
import { type ServiceName, services } from "./services.ts";

/** The base URLs under which the services are intercepted. */
export type BaseUrls = {
  /** The `baseUrl` that the code under test uses, its path prefix included. @default the sandbox's own */
  [Name in ServiceName]?: string | URL | undefined;
};

/**
 * Makes request handlers for MSW that respond from a sandbox: the same routes, rules, faults and log as over HTTP.
 *
 * Where a fault breaks the connection, fetch rejects. Give `setupServer` the option `onUnhandledFrame: "error"`: the
 * name that MSW 2 had for it is ignored without a word, and a request to a wrong address would really be sent.
 *
 * @example
 * ```ts
 * const sandbox = createSandbox();
 * const server = setupServer(...handlers(sandbox, { console: "https://console.example.com" }));
 * server.listen({ onUnhandledFrame: "error" });
 * ```
 */
export function handlers(sandbox: Sandbox<Clock>, baseUrls: BaseUrls = {}): HttpHandler[] {
  return services.map(({ name }) => {
    const own = sandbox[name].baseUrl;
    return forward(baseUrls[name] ?? own, own, sandbox.handler);
  });
}

/** A request below `from` is handled as one below `to`. */
function forward(from: string | URL, to: string, handler: Handler): HttpHandler {
  const base = new URL(from);
  const prefix = base.pathname.replace(/\/$/, "");
  return http.all(
    // Not a path pattern: a colon or an asterisk in an address would mean something.
    ({ request }) => {
      const { origin, pathname } = new URL(request.url);
      return origin === base.origin && pathname.startsWith(`${prefix}/`);
    },
    async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const target = to + pathname.slice(prefix.length) + search;
      // It rejects only where a connection is to break; an error that left here would become a 500.
      return handler(new Request(target, request)).catch(() => HttpResponse.error());
    },
  );
}
