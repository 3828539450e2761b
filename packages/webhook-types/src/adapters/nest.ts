import { nodeHandler, type NodeResponse, type NodeMessage } from "./node.ts";
import type { RawReceiver } from "./raw-message.ts";

const NEST_HINT =
  "Nest has parsed this body, so the raw one is gone. Create the application with NestFactory.create(AppModule, { rawBody: true }).";

/**
 * Serves a receiver in a controller of NestJS on Express. Create the application with `{ rawBody: true }`, so that it keeps raw
 * bodies.
 *
 * On Fastify, use `toFastifyPlugin` with `app.register`.
 *
 * @example
 * ```ts
 * import { Controller, Post, Req, Res, type RawBodyRequest } from "@nestjs/common";
 * import type { Request, Response } from "express";
 *
 * const handle = toNestHandler(receive);
 *
 * @Controller("hooks")
 * class HooksController {
 *   @Post()
 *   hook(@Req() req: RawBodyRequest<Request>, @Res() res: Response) {
 *     return handle(req, res);
 *   }
 * }
 * ```
 */
export function toNestHandler(
  receiver: RawReceiver,
): (req: NodeMessage, res: NodeResponse) => Promise<void> {
  return nodeHandler(receiver, NEST_HINT);
}
