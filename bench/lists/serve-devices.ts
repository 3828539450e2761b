// Serves a device list of any size, which is made while it is sent: child of the benchmark of lists.
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { devices as samples } from "@fieldmesh/console-client/samples";
import { readTask, serveInChild } from "../support/child.ts";

const AT_ONCE = 200;
const { id: _id, name: _name, ...sample } = samples.list.output[0]!;
/** All devices differ in their name and id only, so that making them takes little of the processor. */
const [before = "", between = "", after = ""] = JSON.stringify({
  id: "\0",
  name: "\0",
  ...sample,
}).split(String.raw`\u0000`);

const { count } = readTask() as { readonly count: number };
await serveInChild((_, response) => void sendList(response).catch(() => undefined));

async function sendList(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" }).write("[");
  for (let from = 0; from < count; from += AT_ONCE) {
    const to = Math.min(count, from + AT_ONCE);
    const text = Array.from({ length: to - from }, (_, at) => deviceOf(from + at)).join(",");
    if (!response.write(from === 0 ? text : `,${text}`)) await once(response, "drain");
  }
  response.end("]");
}

function deviceOf(number: number): string {
  const id = `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
  return `${before}${id}${between}Device ${number}${after}`;
}
