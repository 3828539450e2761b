import { createHash, timingSafeEqual } from "node:crypto";
import { textResponse } from "../engine/serve/responses.ts";
import type { NodeHandler } from "./node-listener.ts";
import { isIP } from "node:net";
import { isLoopback, readBytes } from "@fieldmesh/core/internal";

/** Who may use the controls. */
export interface Access {
  readonly token: string;
  /** Whether other machines reach the sandbox. Without the token, they may not even read. */
  readonly isPublic: boolean;
}

/** The paths of the controls, also of forks. The services below the other paths have keys of their own. */
const CONTROLS = /^\/(forks\/[^/]+\/)*(sandbox|webhooks)(\/|$)/;
const READS = new Set(["GET", "HEAD"]);

/**
 * Requires the token for everything that changes the sandbox or shows a secret, and under a public address for reading too.
 * These controls show a secret only in the response to a POST.
 */
export function withToken(handler: NodeHandler, { token, isPublic }: Access): NodeHandler {
  return (request, connection) => {
    const { pathname } = new URL(request.url);
    const isOpen = !CONTROLS.test(pathname) || (READS.has(request.method) && !isPublic);
    return isOpen || hasToken(request, token) ? handler(request, connection) : unauthorized();
  };
}

function hasToken({ headers }: Request, token: string): boolean {
  const [, given = ""] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  // timingSafeEqual throws when lengths differ, and digests have one length.
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function unauthorized(): Response {
  return textResponse(
    "This needs the token of the sandbox: send authorization: Bearer <token>, from the address that the sandbox printed.",
    { status: 401, headers: { "www-authenticate": "Bearer" } },
  );
}

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

/** Far more than a bulk request has. The log keeps bodies, so that larger ones would fill the memory. */
const MOST_BYTES = 4 * 2 ** 20;
/** A device takes about 200 bytes of a snapshot, so that a million of them fit. V8 reads no string of more than 512 MiB. */
const MOST_SNAPSHOT_BYTES = 256 * 2 ** 20;
/** The control that restores a snapshot, also of a fork. */
const RESTORE = /^\/(forks\/[^/]+\/)*sandbox\/restore$/;

/** Rejects a body that is too large with 413. A snapshot has a limit of its own. */
export function limitBody(handler: NodeHandler): NodeHandler {
  return async (request, connection) => {
    if (request.body === null) return handler(request, connection);
    const isSnapshot = RESTORE.test(new URL(request.url).pathname);
    const most = isSnapshot ? MOST_SNAPSHOT_BYTES : MOST_BYTES;
    const tooLarge = () =>
      textResponse(
        `The sandbox accepts ${isSnapshot ? "snapshots" : "bodies"} of at most ${most} bytes`,
        { status: 413 },
      );
    const length = request.headers.get("content-length");
    if (length !== null) return Number(length) > most ? tooLarge() : handler(request, connection);
    // A body in chunks tells its length only at its end.
    const body = await readBytes(request.body, most);
    if (body === undefined) return tooLarge();
    const { method } = request;
    return handler(
      new Request(request, { method, body: body as Uint8Array<ArrayBuffer> }),
      connection,
    );
  };
}
