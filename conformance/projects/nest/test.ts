import "reflect-metadata";
import assert from "node:assert/strict";
import { sign } from "@fieldmesh/webhook-types";
import { toNestHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { Controller, Module, Post, Req, Res } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import type { Request, Response } from "express";

const activated: string[] = [];

const handle = toNestHandler(
  createReceiver({
    secret: "whsec_of_a_consumer",
    store: memoryStore(),
    handlers: {
      "sim.activated": (event) => void activated.push(event.id),
      otherwise: () => undefined,
    },
  }),
);

@Controller("hooks")
class HooksController {
  @Post()
  hook(@Req() request: Request, @Res() response: Response) {
    return handle(request, response);
  }
}

@Module({ controllers: [HooksController] })
class AppModule {}

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
