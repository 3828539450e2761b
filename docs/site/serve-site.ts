import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serve } from "vitepress";

const docs = join(import.meta.dirname, "..");

/** Where VitePress writes the site. */
export const siteFolder = join(docs, ".vitepress", "dist");

/** Serves the built site on a free port, compressed as static hosts do. The base is the one that it was built with. */
export async function serveSite(base = "/") {
  const { server } = await serve({ root: docs, port: 0, base });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}${base.slice(0, -1)}`,
    close: () => void server.close(),
  };
}
