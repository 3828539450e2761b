export { toNodeHandler, type NodeMessage, type NodeResponse } from "./node.ts";
export { toExpressHandler } from "./express.ts";
export { toNestHandler } from "./nest.ts";
export {
  toFastifyPlugin,
  type FastifyScope,
  type FastifyIncoming,
  type FastifyOutgoing,
  type FastifyPluginOptions,
} from "./fastify.ts";
export { toHonoHandler } from "./hono.ts";
export { toNextHandler } from "./next.ts";
export { toLambdaHandler, type LambdaEvent, type LambdaResult } from "./lambda.ts";
export type { RawMessage, RawReceiver, ReceiverResponse } from "./raw-message.ts";
