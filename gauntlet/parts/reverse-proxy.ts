import { type Respond, respondWell, startOrigin } from "./origin.ts";
import { startProgram } from "./program.ts";
import type { Context, Program, World } from "./row.ts";

/** Where a proxy listens, its folder, and how `ORIGIN` in lines of its configuration becomes the server's address. */
interface ProxyPlace {
  readonly port: number;
  readonly folder: string;
  readonly fill: (lines: string) => string;
}

/** Makes the world of a row: an installed proxy in front of a server. */
function reverseProxy(
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

/** Makes the world of a row: haproxy in front of a server. `ORIGIN` in the lines stands for the server's address. */
export function haproxy(
  {
    front = "",
    back = "server s ORIGIN",
    timeout = 5_000,
  }: { front?: string; back?: string; timeout?: number },
  respond: Respond = respondWell,
): (context: Context) => Promise<World> {
  return reverseProxy("haproxy", respond, ({ port, fill }) => ({
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
}

/** Makes the world of a row: nginx in front of a server. `ORIGIN` in the lines stands for the server's address. */
export function nginx(
  { location, http = "" }: { location: string; http?: string },
  respond: Respond = respondWell,
): (context: Context) => Promise<World> {
  return reverseProxy("nginx", respond, ({ port, folder, fill }) => ({
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
}
