import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Controller, Module, Post, Req, Res } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
// oxlint-disable-next-line import/no-unassigned-import -- Nest requires it
import "reflect-metadata";
import express from "express";
import express4 from "express-4";
import fastify from "fastify";
import { afterEach } from "vitest";
import {
  toExpressHandler,
  toFastifyPlugin,
  toNestHandler,
  toNodeHandler,
  type RawReceiver,
} from "../src/adapters/index.ts";

/** What a middleware does before the receiver. */
export type Before = (req: IncomingMessage, res: ServerResponse) => unknown;
type Start = (receive: RawReceiver, before?: Before) => Promise<string>;

export const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Serves a function, and returns the address of the route of its receiver. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  await once(server, "listening");
  return urlOf(server);
}

function urlOf(server: { address(): unknown }): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

/** Starts a receiver behind each framework on Node, with code that runs before it. */
export const frameworks: Record<string, Start> = {
  "node:http": async (receive, before) => listen(inOrder(toNodeHandler(receive), before)),
  "Express 5": async (receive, before) => {
    const app = express();
    app.post("/hooks", inOrder(toExpressHandler(receive), before));
    app.use(express.json());
    return listen(app);
  },
  "Express 4": async (receive, before) => {
    const app = express4();
    app.post("/hooks", inOrder(toExpressHandler(receive), before));
    return listen(app);
  },
  NestJS: async (receive, before) => {
    const handle = inOrder(toNestHandler(receive), before);
    class HooksController {
      hook(req: IncomingMessage, res: ServerResponse) {
        return handle(req, res);
      }
    }
    // The decorators would do this, but this compiler does not run them.
    Req()(HooksController.prototype, "hook", 0);
    Res()(HooksController.prototype, "hook", 1);
    const descriptor = Object.getOwnPropertyDescriptor(HooksController.prototype, "hook")!;
    Post()(HooksController.prototype, "hook", descriptor);
    Controller("hooks")(HooksController);
    // oxlint-disable-next-line typescript/no-extraneous-class -- Nest requires a class as a module
    class AppModule {}
    Module({ controllers: [HooksController] })(AppModule);
    const app = await NestFactory.create(AppModule, { rawBody: !before, logger: false });
    closers.push(() => app.close());
    await app.listen(0, "127.0.0.1");
    return urlOf(app.getHttpServer() as { address(): unknown });
  },
  "Fastify 5": async (receive, before) => {
    const app = fastify();
    closers.push(() => app.close());
    if (before)
      app.addHook("onRequest", async ({ raw }, reply) => void (await before(raw, reply.raw)));
    await app.register(toFastifyPlugin(receive), { prefix: "/hooks" });
    await app.listen({ port: 0, host: "127.0.0.1" });
    return urlOf(app.server);
  },
};

const inOrder =
  (handle: ReturnType<typeof toNodeHandler>, before?: Before) =>
  (req: IncomingMessage, res: ServerResponse): void =>
    void Promise.resolve(before?.(req, res)).then(() => handle(req, res));
