import assert from "node:assert/strict";
import { sign } from "@fieldmesh/webhook-types";
import { toFastifyPlugin } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import fastify from "fastify";

const activated = [];

const receive = createReceiver({
  secret: "whsec_of_a_consumer",
  store: memoryStore(),
  handlers: {
    "sim.activated": (event) => activated.push(event.data.object.id),
    otherwise: () => undefined,
  },
});

const app = fastify();
await app.register(toFastifyPlugin(receive), { prefix: "/hooks" });
app.post("/other", (request) => request.body); // its own parser is as it was

const event = sampleEvent("sim.activated");
const body = JSON.stringify(event);
const headers = await sign({ secret: "whsec_of_a_consumer", body });
const json = { "content-type": "application/json" };
const post = (url, payload) =>
  app.inject({ method: "POST", url, payload, headers: { ...headers, ...json } });

assert.equal((await post("/hooks", body)).statusCode, 200);
assert.equal((await post("/hooks", `${body} `)).statusCode, 401);
assert.deepEqual(activated, [event.data.object.id]);
assert.deepEqual((await post("/other", '{"a":1}')).json(), { a: 1 });
await app.close();
console.log("ok");
