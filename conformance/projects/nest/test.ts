import "reflect-metadata";
import assert from "node:assert/strict";
import { sign } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { activated, AppModule } from "./hooks.controller.js";

async function main() {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, {
    rawBody: true,
    logger: false,
  });
  app.useBodyParser("json", { limit: "1mb" });
  await app.listen(0, "127.0.0.1");
  const url = `${await app.getUrl()}/hooks`;

  const event = sampleEvent("sim.activated");
  const body = JSON.stringify(event);
  const headers = {
    "content-type": "application/json",
    ...(await sign({ secret: "whsec_of_a_consumer", body })),
  };
  assert.equal((await fetch(url, { method: "POST", body, headers })).status, 200);
  assert.equal((await fetch(url, { method: "POST", body: `${body} `, headers })).status, 401);
  assert.deepEqual(activated, [event.id]);
  await app.close();
  console.log("ok");
}

void main();
