import { type HttpHandler, HttpResponse, http } from "msw";
import { guardInput, hasMethod, requireOptions, type Clock } from "@fieldmesh/core";
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
  return guardInput("What handlers got", [sandbox, baseUrls], () => {
    if (!hasMethod(sandbox, "handler"))
      throw new TypeError("handlers takes a sandbox, such as createSandbox() makes.");
    requireOptions("handlers", baseUrls, 'such as { console: "https://…" }');
    return services.map(({ name }) => {
      const own = sandbox[name].baseUrl;
      return forward(readBase(name, baseUrls[name] ?? own), own, sandbox.handler);
    });
  });
}

function readBase(name: string, from: string | URL): URL {
  const isAddress = typeof from === "string" || from instanceof URL;
  if (isAddress && URL.canParse(String(from))) return new URL(from);
  throw new TypeError(`handlers: the base URL of ${name} must be absolute, such as "https://…".`);
}

/** A request below `base` is handled as one below `to`. */
function forward(base: URL, to: string, handler: Handler): HttpHandler {
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
