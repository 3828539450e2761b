import { createHash, timingSafeEqual } from "node:crypto";
import { textResponse } from "../engine/serve/responses.ts";
import type { NodeHandler } from "./node-listener.ts";

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
