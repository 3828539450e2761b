import { connect, createServer, type Socket } from "node:net";
import { ProxyAgent } from "undici";
import { fetchThrough } from "./choose-fetch.ts";
import type { Context, World } from "./row.ts";
import { certificate } from "./certificates.ts";
import { listen } from "./listen.ts";
import { respondWell, startOrigin, type Respond } from "./origin.ts";

/** What the proxy does when a client asks for a tunnel with CONNECT. */
export type OnConnect = (client: Socket, open: () => void, context: Context) => unknown;

/** Makes the world of a row: a proxy that tunnels, as the guide on proxies uses one, and a TLS server behind it. */
export function connectProxy(
  onConnect: OnConnect,
  {
    respond = respondWell,
    onResponse,
  }: { respond?: Respond; onResponse?: (client: Socket, chunk: Buffer) => unknown } = {},
): (context: Context) => Promise<World> {
  return async (context) => {
    const { key, cert } = await certificate();
    const origin = await startOrigin(respond, { tls: { key, cert } });
    const proxy = await listen(
      createServer((client) => {
        client.once("data", () => {
          const open = () => tunnel(client, origin.port, onResponse);
          void onConnect(client, open, context);
        });
      }),
    );
    const agent = new ProxyAgent({
      uri: `http://127.0.0.1:${proxy.port}`,
      requestTls: { ca: cert },
    });
    return {
      url: origin.url,
      requests: origin.requests,
      posts: origin.posts,
      leftOpen: origin.leftOpen,
      fetch: fetchThrough(agent),
      async [Symbol.asyncDispose]() {
        await agent.destroy();
        await proxy.close();
        await origin[Symbol.asyncDispose]();
      },
    };
  };
}

function tunnel(
  client: Socket,
  port: number,
  onResponse: (client: Socket, chunk: Buffer) => unknown = (to, chunk) => to.write(chunk),
): void {
  const server = connect(port, "127.0.0.1", () => {
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    client.on("data", (chunk) => server.write(chunk));
  });
  server.on("data", (chunk) => void onResponse(client, chunk));
  server.on("error", () => client.destroy());
  server.on("close", () => client.destroy());
  client.on("close", () => server.destroy());
}
