import { type HttpHandler, HttpResponse, http } from "msw";
import {
  type Clock,
  hasMethod,
  isUrl,
  mistake,
  options,
  readInput,
} from "@fieldmesh/core/internal";
import type { Sandbox } from "./engine/sandbox/sandbox.ts";
import type { Handler } from "./engine/serve/serve.ts";
import { type ServiceName, services } from "./services.ts";

/** The base URLs of the services to intercept. */
export type BaseUrls = {
  /** The `baseUrl` of the code under test, including its path prefix. @default the one of the sandbox */
  [Name in ServiceName]?: string | URL | undefined;
};

const readBaseUrls = /* @__PURE__ */ options<BaseUrls>(
  "handlers",
  { console: aBase, ledger: aBase, mapper: aBase, mobile: aBase },
  '{ console: "https://…" }',
);

/**
 * Creates request handlers for MSW that respond from a sandbox, with the same routes, rules, faults and log as over HTTP.
 *
 * If a fault breaks the connection, fetch rejects. Set the option `onUnhandledFrame: "error"` of `setupServer`. MSW
 * silently ignores the name that the option had in MSW 2, and a request to a wrong address would really be sent.
 *
 * @example
 * ```ts
 * const sandbox = createSandbox();
 * const server = setupServer(...handlers(sandbox, { console: "https://console.example.com" }));
 * server.listen({ onUnhandledFrame: "error" });
 * ```
 */
export function handlers(sandbox: Sandbox<Clock>, baseUrls: BaseUrls = {}): HttpHandler[] {
  return readInput("An argument of handlers", () => {
    if (!hasMethod(sandbox, "handler"))
      throw mistake("handlers requires a sandbox, such as createSandbox().");
    const given = readBaseUrls(baseUrls);
    return services.map(({ name }) => {
      const own = sandbox[name].baseUrl;
      return forward(new URL(given[name] ?? own), own, sandbox.handler);
    });
  });
}

function aBase(value: unknown, name: string): string | URL {
  const isAddress = typeof value === "string" || isUrl(value);
  if (isAddress && URL.canParse(String(value))) return value;
  throw mistake(`handlers: the base URL of ${name} must be absolute, such as "https://…".`);
}

/** Handles a request below `base` like one below `to`. */
function forward(base: URL, to: string, handler: Handler): HttpHandler {
  const prefix = base.pathname.replace(/\/$/, "");
  return http.all(
    // Not a path pattern, because a colon or an asterisk in an address would have a meaning.
    ({ request }) => {
      const { origin, pathname } = new URL(request.url);
      return origin === base.origin && pathname.startsWith(`${prefix}/`);
    },
    async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const target = to + pathname.slice(prefix.length) + search;
      // It rejects only to break a connection. Any error thrown here would become a 500.
      return handler(new Request(target, request)).catch(() => HttpResponse.error());
    },
  );
}
