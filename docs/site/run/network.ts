import type { InProcessFetch } from "@fieldmesh/sandbox/internal/services";

/** The sandboxes of this worker, by their origin. */
const servers = new Map<string, InProcessFetch>();

/** Makes an origin respond. Returns a function that ends this. */
export function listen(origin: string, fetch: InProcessFetch): () => void {
  servers.set(origin, fetch);
  return () => void servers.delete(origin);
}

/** The `fetch` of a sample. Only the sandboxes of this worker respond; another host is unknown, as in Node without a network. */
export const fetchFromSandboxes: InProcessFetch = async (input, init) => {
  const { origin, hostname } = new URL(input instanceof Request ? input.url : input);
  const server = servers.get(origin);
  if (server !== undefined) {
    const response = await server(input, init);
    // As every server does that listens on a port.
    response.headers.set("date", new Date().toUTCString());
    return response;
  }
  const cause = new Error(`getaddrinfo ENOTFOUND ${hostname}: samples reach only their sandbox`);
  throw new TypeError("fetch failed", { cause: Object.assign(cause, { code: "ENOTFOUND" }) });
};
