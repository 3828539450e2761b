import { createServer as createTcpServer, connect, type Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { Agent } from "undici";
import { fetchThrough } from "./choose-fetch.ts";
import type { Context, World } from "./row.ts";
import { certificate, type Certificate } from "./certificates.ts";
import { listen } from "./listen.ts";
import { respondWell, startOrigin, type Respond } from "./origin.ts";

/** The settings of a row's TLS server. */
export interface TlsWorld {
  readonly certificate?: () => Promise<Certificate>;
  /** The client trusts the certificate. @default true */
  readonly trusted?: boolean;
  readonly options?: TlsOptions;
  readonly respond?: Respond;
  /** What a proxy in front of the server does with the encrypted bytes of the response. */
  readonly onResponse?: (chunk: Buffer, client: Socket, context: Context) => unknown;
}

/** Makes the world of a row: a server with TLS. */
export function tls(world: TlsWorld): (context: Context) => Promise<World> {
  const { trusted = true, options, respond = respondWell, onResponse } = world;
  return async (context) => {
    const { key, cert } = await (world.certificate ?? certificate)();
    const origin = await startOrigin(respond, { tls: { key, cert, ...options } });
    const before =
      onResponse && (await startByteProxy(origin.port, (...a) => onResponse(...a, context)));
    const agent = new Agent({ connect: { ...(trusted && { ca: cert }) } });
    return {
      url: before === undefined ? origin.url : `https://127.0.0.1:${before.port}`,
      requests: origin.requests,
      posts: origin.posts,
      leftOpen: origin.leftOpen,
      fetch: fetchThrough(agent),
      async [Symbol.asyncDispose]() {
        await agent.destroy();
        await before?.close();
        await origin[Symbol.asyncDispose]();
      },
    };
  };
}

/** A port that accepts connections without TLS. The client calls it with https. */
export function notTls(
  onConnection: (socket: Socket, context: Context) => unknown,
): (context: Context) => Promise<World> {
  return async (context) => {
    const { port, close } = await listen(
      createTcpServer((socket) => void onConnection(socket, context)),
    );
    return { url: `https://127.0.0.1:${port}`, requests: () => 0, [Symbol.asyncDispose]: close };
  };
}

async function startByteProxy(
  port: number,
  onResponse: (chunk: Buffer, client: Socket) => unknown,
) {
  return await listen(
    createTcpServer((client) => {
      const server = connect(port, "127.0.0.1");
      client.on("data", (chunk) => server.write(chunk));
      server.on("data", (chunk) => void onResponse(chunk, client));
      server.on("error", () => client.destroy());
      server.on("close", () => client.destroy());
      client.on("close", () => server.destroy());
    }),
  );
}
