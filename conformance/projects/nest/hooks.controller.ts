import { toNestHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { Controller, Module, Post, Req, Res } from "@nestjs/common";
import type { Request, Response } from "express";

export const activated: string[] = [];

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
export class HooksController {
  @Post()
  hook(@Req() request: Request, @Res() response: Response) {
    return handle(request, response);
  }
}

@Module({ controllers: [HooksController] })
export class AppModule {}
