import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serve } from "vitepress";

const docs = join(import.meta.dirname, "..");

/** Where VitePress writes the site. */
export const siteFolder = join(docs, ".vitepress", "dist");

/** Serves the built site on a free port, compressed as static hosts do. */
export async function serveSite() {
  const { server } = await serve({ root: docs, port: 0 });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => void server.close(),
  };
}
