import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { sign } from "@fieldmesh/webhook-types";
import { toExpressHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import express from "express";

const activated: string[] = [];

const receive = createReceiver({
  secret: "whsec_of_a_consumer",
  store: memoryStore(),
  handlers: {
    "sim.activated": (event) => void activated.push(event.id),
    otherwise: () => undefined,
  },
});

const app = express();
app.post("/hooks", toExpressHandler(receive));
app.use(express.json());

const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;

const event = sampleEvent("sim.activated");
const body = JSON.stringify(event);
const headers = await sign({ secret: "whsec_of_a_consumer", body });
assert.equal((await fetch(url, { method: "POST", body, headers })).status, 200);
assert.equal((await fetch(url, { method: "POST", body: `${body} `, headers })).status, 401);
assert.deepEqual(activated, [event.id]);
server.close();
console.log("ok");
