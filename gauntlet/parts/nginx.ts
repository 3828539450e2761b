import type { Context, World } from "../run/row.ts";
import { respondWell, startOrigin, type Respond } from "./origin.ts";
import { startProgram } from "./program.ts";

/** Makes the world of a row: nginx before a server. `ORIGIN` in the lines stands for the server's address. */
export function nginx(
  { location, http = "" }: { location: string; http?: string },
  respond: Respond = respondWell,
): (context: Context) => Promise<World> {
  return async ({ chance }) => {
    const origin = await startOrigin(respond);
    const fill = (lines: string) => lines.replaceAll("ORIGIN", `127.0.0.1:${origin.port}`);
    const server = await startProgram("nginx", chance, ({ port, folder }) => ({
      args: (file) => ["-p", folder, "-c", file, "-e", "stderr"],
      config: `
        daemon off; master_process off; worker_processes 1; pid ${folder}/pid; error_log stderr crit;
        events { worker_connections 64; }
        http {
          access_log off;
          client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
          uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
          ${fill(http)}
          server { listen 127.0.0.1:${port}; location / { ${fill(location)} } }
        }`,
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
