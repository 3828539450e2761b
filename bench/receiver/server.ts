// One of the two servers that receiver-load.ts compares.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { RequestListener } from "node:http";
import { toNodeHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { readTask, serveInChild } from "../support/child.ts";

/** What a child serves: bare node:http with createHmac and JSON.parse, or a receiver with a memory store. */
export interface ServerTask {
  readonly kind: "bare" | "receiver";
  readonly secret: string;
}

const { kind, secret } = readTask() as ServerTask;
let count = 0;
const handle = toNodeHandler(
  createReceiver({
    secret,
    store: memoryStore(),
    handlers: { "sim.activated": () => void (count += 1) },
  }),
);

const bare: RequestListener = (req, res) => {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    const body = Buffer.concat(chunks);
    const [, timestamp, signature = ""] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(req.headers["platform-signature"])) ?? [];
    const mac = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
    const isSigned = timingSafeEqual(mac, Buffer.from(signature, "hex"));
    const event = JSON.parse(body.toString()) as { type: string };
    if (isSigned && event.type === "sim.activated") count += 1;
    res.end("handled");
  });
};

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
await serveInChild(kind === "bare" ? bare : (req, res) => void handle(req, res));
