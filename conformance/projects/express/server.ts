import { toExpressHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import express from "express";

export const activated: string[] = [];

const receive = createReceiver({
  secret: process.env["WEBHOOK_SECRET"]!,
  store: memoryStore(),
  handlers: {
    "sim.activated": (event) => void activated.push(event.id),
    otherwise: () => undefined,
  },
});

export const app = express();
app.post("/hooks", toExpressHandler(receive));
app.use(express.json());
