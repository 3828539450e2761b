// Serves the same page again and again with a new cursor, so that the server's work is not part of the measurement.
import { readTask, serveInChild } from "../support/child.ts";
import { blockRows, receiptRows } from "./records.ts";

/** What the server sends. */
export interface PageTask {
  readonly pages: number;
  readonly latencyMs: number;
  readonly kind: "receipts" | "blocks";
}

const { pages, latencyMs, kind } = readTask() as PageTask;
const data = kind === "blocks" ? blockRows() : receiptRows({ hasLargeIntegers: false });
const bodies = Array.from({ length: pages }, (_, page) =>
  Buffer.from(page + 1 < pages ? `{"data":${data},"cursor":"c${page + 1}"}` : `{"data":${data}}`),
);

await serveInChild((request, response) => {
  const cursor = new URL(request.url ?? "", "http://127.0.0.1").searchParams.get("cursor") ?? "c0";
  const respond = (): void => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(bodies[Number(cursor.slice(1))]);
  };
  if (latencyMs > 0) setTimeout(respond, latencyMs);
  else respond();
});
