import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";

/** A server that listens on loopback. */
export interface Listening {
  readonly port: number;
  /** The connections that are open now. */
  readonly open: () => number;
  /** Closes it. Ends every connection too, whatever it is doing. */
  readonly close: () => Promise<void>;
}

/** Listens on loopback, on a free port unless one is given. */
export async function listen(server: Server, port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    // One that is paused does not see that its client has left.
    open: () => [...sockets].filter((socket) => !socket.isPaused()).length,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
