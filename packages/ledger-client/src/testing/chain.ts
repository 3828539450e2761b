import type { Clock } from "@fieldmesh/core";
import { createLedgerClient } from "../client.ts";

const SECOND = 1_000;
const PAGE_SIZE = 100;
/** A chain of blocks behind a client. */
export interface Chain {
  readonly client: ReturnType<typeof createLedgerClient>;
  /** The paths and queries of the requests, in order, after `/v1/blocks`. */
  readonly requests: string[];
}

/**
 * Serves a chain. The block with the height `n` appears at the `n`th of the times, in seconds. The list has the newest block first
 * and a hundred blocks on a page.
 */
export function serveChain(
  clock: Clock,
  times: readonly number[],
  {
    fault = () => undefined,
    isListEmpty = false,
  }: {
    /** Replaces a response. */
    readonly fault?: (request: string) => Response | undefined;
    readonly isListEmpty?: boolean;
  } = {},
): Chain {
  const requests: string[] = [];
  const blockAt = (height: number) => ({
    hash: `h${height}`,
    height,
    time: times[height - 1] ?? 0,
    transaction_count: 0,
  });
  const respond = (url: URL): unknown => {
    const highest = times.filter((time) => time * SECOND <= clock.now()).length;
    const path = url.pathname.replace("/v1/blocks", "");
    if (path === "/height") return { data: { height: highest } };
    if (path !== "") return { data: blockAt(Number(path.slice(1))) };
    if (isListEmpty) return { data: [] };
    const top = Number(url.searchParams.get("cursor")?.slice(1) ?? highest);
    const size = Math.min(top, PAGE_SIZE);
    const data = Array.from({ length: size }, (_, index) => blockAt(top - index));
    return { data, ...(top > size && { cursor: `c${top - size}` }) };
  };
  const client = createLedgerClient({
    baseUrl: "https://ledger.test",
    retry: false,
    rateLimit: false,
    fetch(address) {
      const url = new URL(address);
      const request = url.pathname.replace("/v1/blocks", "") + url.search;
      requests.push(request);
      return Promise.resolve(fault(request) ?? Response.json(respond(url)));
    },
  });
  return { client, requests };
}
