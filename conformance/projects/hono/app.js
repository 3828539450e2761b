import { toHonoHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { Hono } from "hono";

export const activated = [];

const receive = createReceiver({
  secret: "whsec_of_a_consumer",
  store: memoryStore(),
  handlers: { "sim.*": (event) => activated.push(event.type), otherwise: () => undefined },
});

export const app = new Hono();
app.post("/hooks", toHonoHandler(receive));
