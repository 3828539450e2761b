export { toNodeHandler, type NodeMessage, type NodeAnswer } from "./node.js";
export { toExpressHandler } from "./express.js";
export { toNestHandler } from "./nest.js";
export {
  toFastifyPlugin,
  type FastifyScope,
  type FastifyIncoming,
  type FastifyOutgoing,
  type FastifyPluginOptions,
} from "./fastify.js";
export { toHonoHandler } from "./hono.js";
export { toNextHandler } from "./next.js";
export { toLambdaHandler, type LambdaEvent, type LambdaResult } from "./lambda.js";
export type { RawMessage, RawReceiver, ReceiverAnswer } from "./raw-message.js";
