import { toFastifyPlugin } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import fastify from "fastify";

export const activated = [];

const receive = createReceiver({
  secret: "whsec_of_a_consumer",
  store: memoryStore(),
  handlers: {
    "sim.activated": (event) => activated.push(event.data.object.id),
    otherwise: () => undefined,
  },
});

export const app = fastify();
await app.register(toFastifyPlugin(receive), { prefix: "/hooks" });
app.post("/other", (request) => request.body); // its own parser is as it was
