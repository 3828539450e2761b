import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import compression from "compression";
import express from "express";

/** Where VitePress puts the site. */
export const siteFolder = join(import.meta.dirname, "..", ".vitepress", "dist");

/** The built site on loopback, compressed as static hosts do. */
export interface ServedSite {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves the built site on a free port. */
export async function serveSite(): Promise<ServedSite> {
  const app = express()
    .use(compression())
    .use(express.static(siteFolder, { extensions: ["html"] }));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
