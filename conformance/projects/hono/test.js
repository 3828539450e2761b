import assert from "node:assert/strict";
import { sign } from "@fieldmesh/webhook-types";
import { toHonoHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { Hono } from "hono";

const activated = [];

const receive = createReceiver({
  secret: "whsec_of_a_consumer",
  store: memoryStore(),
  handlers: { "sim.*": (event) => activated.push(event.type), otherwise: () => undefined },
});

const app = new Hono();
app.post("/hooks", toHonoHandler(receive));

const body = JSON.stringify(sampleEvent("sim.activated"));
const headers = await sign({ secret: "whsec_of_a_consumer", body });
assert.equal((await app.request("/hooks", { method: "POST", body, headers })).status, 200);
assert.equal((await app.request("/hooks", { method: "POST", body: "{}", headers })).status, 401);
assert.deepEqual(activated, ["sim.activated"]);
console.log("ok");
