import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a server that can swallow everything, like a dead network path: connections stay open, and no byte arrives. */
export interface BlackHole {
  /** The URL of the server, through this way. */
  readonly url: string;
  /** From now on, no connection carries anything, and new ones are accepted. */
  swallow(): void;
  /** New connections work again. Those that were open stay dead. */
  open(): void;
  close(): void;
}

export async function startBlackHole(target: string): Promise<BlackHole> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let swallows = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (swallows) return void near.resume();
    const far = connect(Number(port), hostname);
    keep(far);
    near.pipe(far).pipe(near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    swallow() {
      swallows = true;
      for (const socket of sockets) socket.unpipe().removeAllListeners("data").resume();
    },
    open() {
      swallows = false;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
