import type { Context, Program, World } from "./row.ts";
import { startOrigin, type Respond } from "./origin.ts";
import { startProgram } from "./program.ts";

/** Where a proxy listens, its folder, and how `ORIGIN` in lines of its configuration becomes the server's address. */
export interface ProxyPlace {
  readonly port: number;
  readonly folder: string;
  readonly fill: (lines: string) => string;
}

/** Makes the world of a row: an installed proxy in front of a server. */
export function reverseProxy(
  program: Program,
  respond: Respond,
  configure: (at: ProxyPlace) => { config: string; args: (file: string) => string[] },
): (context: Context) => Promise<World> {
  return async ({ chance }) => {
    const origin = await startOrigin(respond);
    const fill = (lines: string) => lines.replaceAll("ORIGIN", `127.0.0.1:${origin.port}`);
    const server = await startProgram(program, chance, (at) => configure({ ...at, fill }));
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
