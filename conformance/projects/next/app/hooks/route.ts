import { toNextHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";

export const POST = toNextHandler(
  createReceiver({
    secret: "whsec_of_a_consumer",
    store: memoryStore(),
    handlers: {
      "sim.activated": (event) => console.log("activated:", event.data.object.id),
      otherwise: () => undefined,
    },
  }),
);
