import assert from "node:assert/strict";
import { sign } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { activated, app } from "./app.js";

const body = JSON.stringify(sampleEvent("sim.activated"));
const headers = await sign({ secret: "whsec_of_a_consumer", body });
assert.equal((await app.request("/hooks", { method: "POST", body, headers })).status, 200);
assert.equal((await app.request("/hooks", { method: "POST", body: "{}", headers })).status, 401);
assert.deepEqual(activated, ["sim.activated"]);
console.log("ok");
