import assert from "node:assert/strict";
import { startSandbox } from "@fieldmesh/sandbox";
import { sign } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { Miniflare } from "miniflare";

const sandbox = await startSandbox();
const worker = new Miniflare({
  modules: true,
  scriptPath: "out/worker.mjs",
  compatibilityDate: "2026-01-01",
  bindings: {
    CONSOLE_URL: sandbox.console.baseUrl,
    CONSOLE_KEY: sandbox.apiKey,
    WEBHOOK_SECRET: "whsec_of_a_consumer",
  },
});
const labels = await worker.dispatchFetch("http://worker/labels");
assert.equal((await labels.json()).length, 4);
const body = JSON.stringify(sampleEvent("sim.activated"));
const headers = await sign({ secret: "whsec_of_a_consumer", body });
const post = (text) =>
  worker.dispatchFetch("http://worker/hooks", { method: "POST", body: text, headers });
assert.equal((await post(body)).status, 200);
assert.equal((await post(`${body} `)).status, 401);
await worker.dispose();
await sandbox.close();
console.log("ok");
