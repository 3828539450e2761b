import { isIP } from "node:net";
import { isLoopback } from "@fieldmesh/core/internal";
import { textResponse } from "../engine/serve/responses.ts";
import type { NodeHandler } from "./node-listener.ts";

/**
 * Rejects other host names that lead here, which a web page in a browser would use, and origins of other machines. The last one of
 * `names`, which are in lower case, is that of its address.
 *
 * An image, a form or a link of another site has no origin, but a browser marks it. Without this, any web page could write into the
 * request log.
 */
export function onlyOwn(
  handler: NodeHandler,
  { names, isPublic }: { readonly names: readonly string[]; readonly isPublic: boolean },
): NodeHandler {
  return async (request, connection) => {
    const { hostname, origin } = new URL(request.url);
    if (!names.includes(hostname) && !(isPublic && isLocalName(hostname)))
      return textResponse(
        isPublic
          ? "The sandbox responds to IP addresses and to host names without a dot only"
          : `The sandbox responds on ${names.at(-1)} only`,
        { status: 421 },
      );
    const from = request.headers.get("origin");
    if (from !== null && from !== origin && !isOfThisMachine(from))
      return textResponse("The sandbox accepts no request from a web page of another machine", {
        status: 403,
      });
    const { headers } = request;
    if (headers.get("sec-fetch-site") === "cross-site" && headers.get("sec-fetch-mode") !== "cors")
      return textResponse(
        "A web page of another site has led here, which the sandbox does not accept. To open its page, paste the address into the address bar.",
        { status: 403 },
      );
    return handler(request, connection);
  };
}

/** Tells whether a host is an address, or a name without a dot, such as that of a container. No web page of the internet has one. */
function isLocalName(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || !hostname.includes(".");
}

function isOfThisMachine(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname);
}
