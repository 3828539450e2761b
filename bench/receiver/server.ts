// What receiver-load.ts measures: bare node:http with JSON.parse, or a receiver with a memory store.
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { stringifyJson } from "@fieldmesh/core";
import { sign } from "@fieldmesh/webhook-types";
import { toNodeHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";

const [, , kind, secret = ""] = process.argv;
let count = 0;
const receive = createReceiver({
  secret,
  store: memoryStore(),
  handlers: { "sim.activated": () => void (count += 1) },
});
const handle = toNodeHandler(receive);

const bare: RequestListener = (req, res) => {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    const event = JSON.parse(Buffer.concat(chunks).toString()) as { type: string };
    if (event.type === "sim.activated") count += 1;
    res.end("handled");
  });
};

const server = createServer(kind === "bare" ? bare : (req, res) => void handle(req, res));
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.send?.((server.address() as AddressInfo).port);

process.on("message", (message: string) => {
  const [what, events] = message.split(" ");
  if (what === "memory") {
    void heapAfter(Number(events)).then((bytes) => process.send?.(bytes));
  } else {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  }
});
process.on("disconnect", () => process.exit());

async function heapAfter(events: number): Promise<number> {
  const template = stringifyJson(sampleEvent("sim.activated", { id: "evt_ID" }), { reveal: true });
  for (let n = 0; n < events; n += 1) {
    const body = template.replace("evt_ID", `evt_${crypto.randomUUID()}`);
    const headers = await sign({ secret, body });
    const { status } = await receive.receive({ method: "POST", headers, body });
    if (status !== 200) throw new Error(`answered ${status}`);
  }
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
