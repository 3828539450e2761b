// Serves one page again and again under a new cursor, from a process of its own, so that its work is not in the measure:
// node page-server.ts <pages> <latency in ms>; prints its port. The page stands in the environment.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [pages = 0, latency = 0] = process.argv.slice(2).map(Number);
const data = process.env["PAGE_DATA"] ?? "[]";
const bodies = Array.from({ length: pages }, (_, page) =>
  Buffer.from(page + 1 < pages ? `{"data":${data},"cursor":"c${page + 1}"}` : `{"data":${data}}`),
);

const server = createServer((request, response) => {
  const cursor = new URL(request.url ?? "", "http://127.0.0.1").searchParams.get("cursor");
  const body = bodies[Number((cursor ?? "c0").slice(1))];
  const answer = (): void => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(body);
  };
  if (latency > 0) setTimeout(answer, latency);
  else answer();
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit(0));
