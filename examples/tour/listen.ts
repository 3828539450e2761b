// Serves the handlers of the examples on this machine.
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Serves a handler on a free port until it is closed. The origin is such as `http://127.0.0.1:49152`. */
export async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Breaks every connection, as a crash of the process does. */
    breakConnections: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
