import { anything, options } from "@fieldmesh/core/internal";
import { messageOf, type NodeMessage, type NodeResponse } from "./node.ts";
import { receiveOf, type RawReceiver } from "./raw-message.ts";

/** The parts of a Fastify instance that the plugin uses. */
export interface FastifyScope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown;
  route(options: {
    method: "POST";
    url: string;
    handler: (request: FastifyIncoming, reply: FastifyOutgoing) => Promise<unknown>;
  }): unknown;
}

/** Options of the Fastify plugin. */
export interface FastifyPluginOptions {
  /** The path of the route. @default "/" - the prefix that you register the plugin with */
  readonly path?: string | undefined;
}

const readOptions = /* @__PURE__ */ options<FastifyPluginOptions>("toFastifyPlugin", {
  path: anything,
});

/** The parts of a Fastify request that the plugin uses. */
export interface FastifyIncoming {
  readonly raw: NodeMessage;
}

/** The parts of a Fastify reply that the plugin uses. */
export interface FastifyOutgoing {
  readonly raw: Pick<NodeResponse, "once" | "writableFinished">;
  /** Whether other code has responded, such as a hook after a timeout. */
  readonly sent: boolean;
  code(status: number): FastifyOutgoing;
  headers(headers: Record<string, string>): FastifyOutgoing;
  send(body: string): FastifyOutgoing;
}

const FASTIFY_HINT =
  "A hook has read this body before it reached the webhook receiver. Register toFastifyPlugin(receive) in a scope without preParsing hooks.";

/**
 * Creates a plugin for Fastify 5 that serves a receiver. It removes the parsers only in its own scope: all other routes keep
 * theirs.
 *
 * @example
 * ```ts
 * await app.register(toFastifyPlugin(receive), { prefix: "/hooks" });
 * ```
 */
export function toFastifyPlugin(
  receiver: RawReceiver,
  given: FastifyPluginOptions = {},
): (scope: FastifyScope) => Promise<void> {
  const receive = receiveOf(receiver);
  const { path = "/" } = readOptions(given);
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.route({
      method: "POST",
      url: path,
      handler: async ({ raw }, reply) => {
        const { status, headers, body } = await receive(messageOf(raw, reply.raw, FASTIFY_HINT));
        if (reply.sent) return reply;
        return reply
          .code(status)
          .headers({ ...headers })
          .send(body);
      },
    });
  };
}
