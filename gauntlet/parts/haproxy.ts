import type { Context, World } from "../run/row.ts";
import { respondWell, startOrigin, type Respond } from "./origin.ts";
import { startProgram } from "./program.ts";

/** Makes the world of a row: haproxy before a server. `ORIGIN` in the lines stands for the server's address. */
export function haproxy(
  {
    front = "",
    back = "server s ORIGIN",
    timeout = 5_000,
  }: { front?: string; back?: string; timeout?: number },
  respond: Respond = respondWell,
): (context: Context) => Promise<World> {
  return async ({ chance }) => {
    const origin = await startOrigin(respond);
    const fill = (lines: string) => lines.replaceAll("ORIGIN", `127.0.0.1:${origin.port}`);
    const server = await startProgram("haproxy", chance, ({ port }) => ({
      args: (file) => ["-db", "-q", "-f", file],
      config: `
global
  nbthread 1
defaults
  mode http
  timeout client 5s
  timeout connect 1s
  timeout server ${timeout}ms
  timeout queue 100ms
frontend f
  bind 127.0.0.1:${port}
  ${fill(front)}
  default_backend b
backend b
  ${fill(back)}
`,
    }));
    return {
      url: `http://127.0.0.1:${server.port}`,
      requests: origin.requests,
      posts: origin.posts,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await origin[Symbol.asyncDispose]();
      },
    };
  };
}
