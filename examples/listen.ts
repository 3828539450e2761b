// How the examples serve a handler on this machine.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on loopback, at a port that was free. */
export interface Listening {
  /** Such as `http://127.0.0.1:49152`. */
  readonly origin: string;
  /** Breaks every connection, as a process does that dies. */
  breakConnections(): void;
  close(): void;
}

/** Serves a handler until it is closed. */
export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const breakConnections = () => server.closeAllConnections();
  return {
    origin: `http://127.0.0.1:${port}`,
    breakConnections,
    close: () => {
      breakConnections();
      server.close();
    },
  };
}
