// Serves a console whose device list has any size, and is made while it is sent: child of the benchmark of lists.
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { devices as samples } from "@fieldmesh/console-client/samples";
import { readTask, serveInChild } from "../support/child.ts";

const AT_ONCE = 200;
const { id: _id, name: _name, dev_eui: _eui, ...sample } = samples.list.output[0]!;
/** All devices differ in these only, so that making them takes little of the processor. */
const [before = "", between = "", next = "", after = ""] = JSON.stringify({
  id: "\0",
  name: "\0",
  dev_eui: "\0",
  ...sample,
}).split(String.raw`\u0000`);

const { count } = readTask() as { readonly count: number };
await serveInChild(({ url = "" }, response) => {
  if (/\/devices\b/.test(url)) void sendList(response).catch(() => undefined);
  else response.writeHead(200, { "content-type": "application/json" }).end("[]");
});

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
  const hex = number.toString(16).padStart(12, "0");
  return `${before}00000000-0000-4000-8000-${hex}${between}Device ${number}${next}0004${hex}${after}`;
}
