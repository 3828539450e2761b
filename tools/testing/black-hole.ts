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
  /** Closes every connection. New ones work. */
  cut(): void;
  /** Once the client sends these words: closes the connection instead, or sends them and swallows everything that comes back. */
  at(words: readonly string[], what: "cut" | "swallow"): void;
  /** New connections lead to another server. */
  lead(target: string): void;
  close(): void;
}

/** `path` is that of a Unix socket, on which it listens instead of a port. */
export async function startBlackHole(target: string, path?: string): Promise<BlackHole> {
  let to = new URL(target);
  const sockets = new Set<Socket>();
  let swallows = false;
  let trap: { readonly words: readonly string[]; readonly what: "cut" | "swallow" } | undefined;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (swallows) return void near.resume();
    const far = connect(Number(to.port), to.hostname);
    keep(far);
    near.on("data", (sent) => {
      if (!trap?.words.some((word) => sent.includes(word))) return;
      const { what } = trap;
      trap = undefined;
      if (what === "swallow") return void far.unpipe(near).resume();
      near.destroy();
      far.destroy();
    });
    near.pipe(far).pipe(near);
  }).listen(path ?? { port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const url = new URL(target);
  if (path === undefined) url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    swallow() {
      swallows = true;
      for (const socket of sockets) socket.unpipe().removeAllListeners("data").resume();
    },
    open() {
      swallows = false;
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    at(words, what) {
      trap = { words, what };
    },
    lead(other) {
      to = new URL(other);
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
