import type { Context, World } from "./row.ts";
import { respondWell, type Respond } from "./origin.ts";
import { reverseProxy } from "./reverse-proxy.ts";

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
