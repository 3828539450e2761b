import assert from "node:assert/strict";
import { sign } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { handler } from "./out/handler.mjs";

const body = JSON.stringify(sampleEvent("plan.created"));
const headers = await sign({ secret: "whsec_of_a_consumer", body });
const event = (text, isBase64Encoded = false) => ({
  version: "2.0",
  rawPath: "/hooks",
  rawQueryString: "",
  headers,
  requestContext: { http: { method: "POST", path: "/hooks" }, domainName: "hooks.test" },
  body: text,
  isBase64Encoded,
});
assert.equal((await handler(event(body))).statusCode, 200);
assert.equal((await handler(event(btoa(body), true))).statusCode, 200);
assert.equal((await handler(event(`${body} `))).statusCode, 401);
console.log("ok");
