import type { Context, World } from "./row.ts";
import { respondWell, type Respond } from "./origin.ts";
import { reverseProxy } from "./reverse-proxy.ts";

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
