// Hono; on Node it needs a server, on workers and Bun `export default app` is enough.
import { serve } from "@hono/node-server";
import { toHonoHandler } from "@fieldmesh/webhook-types/adapters";
import { Hono } from "hono";
import { port, receive } from "./receiver.ts";

const app = new Hono();
app.post("/hooks", toHonoHandler(receive));
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => console.log("listening"));
