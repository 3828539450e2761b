import { STATUS } from "@fieldmesh/http/internal";
import type { NodeHandler } from "./node-listener.ts";

/** Nothing but the files and the controls of this sandbox. Vector images in the style sheet are data. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * Serves the page at `/`, and its files below `/page/`.
 *
 * The token is in the fragment of the address, which no browser sends. Under a public address, `/` therefore responds 401 to
 * everyone: its body is the page, which then sends the token with each request for data.
 */
export function withPage(
  handler: NodeHandler,
  { isPublic }: { readonly isPublic: boolean },
): NodeHandler {
  return async (request, connection) => {
    const { pathname } = new URL(request.url);
    const isPage = pathname === "/" || pathname.startsWith("/page/");
    if (!isPage || !["GET", "HEAD"].includes(request.method)) return handler(request, connection);
    // Loaded by the first viewer: a sandbox in a test has none.
    const { pageFiles } = await import("../../page/build.ts");
    const files = await pageFiles();
    const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined;
    if (file === undefined) return handler(request, connection);
    return new Response(file.body, {
      status: isPublic && pathname === "/" ? STATUS.unauthorized : 200,
      headers: { ...HEADERS, "content-type": file.type },
    });
  };
}
