// NestJS, without decorators, which Node does not run. A controller does the same: see toNestHandler.
import { toNestHandler } from "@fieldmesh/webhook-types/adapters";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
// oxlint-disable-next-line import/no-unassigned-import -- Nest asks for it
import "reflect-metadata";
import { port, receive } from "./receiver.ts";

// oxlint-disable-next-line typescript/no-extraneous-class -- what Nest calls a module
class AppModule {}
Module({})(AppModule);

const options = { rawBody: true, logger: false } as const;
const app = await NestFactory.create<NestExpressApplication>(AppModule, options);
// Nest's own limit is 100 KB, and events can be larger.
app.useBodyParser("json", { limit: "1mb" });
app.use("/hooks", toNestHandler(receive));
await app.listen(port, "127.0.0.1");
console.log("listening");
