// The receiver that the framework examples serve. In yours the secret is the webhook endpoint's.
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";

export const receive = createReceiver({
  secret: process.env["WEBHOOK_SECRET"],
  // One process. With several: redisStore or postgresInbox of @fieldmesh/webhook-types/stores.
  store: memoryStore(),
  handlers: {
    "sim.activated": (event) => console.log("activated:", event.data.object.id),
    otherwise: (event) => console.log("left alone:", event.type),
  },
});

export const port = Number(process.env["PORT"] ?? 3000);
