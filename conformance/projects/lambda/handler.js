import { toLambdaHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";

export const handler = toLambdaHandler(
  createReceiver({
    secret: "whsec_of_a_consumer",
    store: memoryStore(),
    handlers: { "*": (event) => console.log("handled", event.type) },
  }),
);
