import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { runServer } from "verdaccio";
import { exec } from "../exec.ts";

export interface Registry {
  /** The address, on loopback. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts a registry that serves the packages of a scope itself, and forwards all other requests. */
export async function startRegistry(folder: string, scope: string): Promise<Registry> {
  const upstream = await exec("npm", ["config", "get", "registry"]);
  const everybody = { access: "$all", publish: "$all", unpublish: "$all" };
  const config = {
    storage: join(folder, "storage"),
    self_path: folder,
    auth: { htpasswd: { file: join(folder, "htpasswd") } },
    uplinks: { upstream: { url: upstream.trim(), cache: true, maxage: "1h", timeout: "60s" } },
    packages: {
      [`${scope}/*`]: everybody,
      "**": { access: "$all", proxy: "upstream" },
    },
    // Tarballs with the documents of several packages in one request exceed the default.
    max_body_size: "50mb",
    log: { type: "stdout", format: "pretty", level: "fatal" },
    web: { enable: false },
  };
  const server = (await runServer(config as never)) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.close();
      (server as Server & { closeAllConnections(): void }).closeAllConnections();
    },
  };
}
