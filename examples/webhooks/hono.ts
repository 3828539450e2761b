// Hono; on Node it needs a server, on workers and Bun `export default app` is enough.
import { createServer } from "node:http";
import { toNodeListener } from "@fieldmesh/core";
import { toHonoHandler } from "@fieldmesh/webhook-types/adapters";
import { Hono } from "hono";
import { port, receive } from "./receiver.ts";

const app = new Hono();
app.post("/hooks", toHonoHandler(receive));
const server = createServer(toNodeListener((request) => app.fetch(request)));
server.listen(port, "127.0.0.1", () => console.log("listening"));
