// Counts the round trips to a PostgreSQL, as a client between the driver and the server sees them.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a PostgreSQL that counts. */
export interface CountingProxy {
  /** The URL of the server, through the proxy. */
  readonly url: string;
  /** Returns how many round trips there were since the last call. */
  count(): number;
  close(): void;
}

/** Starts a proxy in front of the server of a URL, which has to accept connections without TLS. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let trips = 0;
  const server = createServer((near) => {
    const far = connect(Number(port || "5432"), hostname);
    near.setNoDelay();
    far.setNoDelay();
    for (const socket of [near, far])
      sockets.add(
        socket
          .on("error", () => undefined)
          .on("close", () => {
            sockets.delete(socket);
            near.destroy();
            far.destroy();
          }),
      );
    const typesOf = readTypes();
    near.on("data", (chunk: Buffer) => {
      trips += typesOf(chunk).filter((type) => ENDS_WITH_READY.has(type)).length;
    });
    near.pipe(far).pipe(near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    count() {
      const counted = trips;
      trips = 0;
      return counted;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The server responds to Query, and to Sync after Parse, Bind and Execute, with ReadyForQuery: "Message Formats" of its manual. */
const ENDS_WITH_READY: ReadonlySet<string> = new Set(["Q", "S"]);
const LENGTH_BYTES = 4;

/** Returns a function that returns the types of the messages which end in each chunk of a connection. */
function readTypes(): (chunk: Buffer) => string[] {
  let rest: Buffer = Buffer.alloc(0);
  // The first message, StartupMessage, is the only one that begins with its length.
  let typeBytes = 0;
  return (chunk) => {
    const types: string[] = [];
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= typeBytes + LENGTH_BYTES) {
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) break;
      types.push(rest.toString("latin1", 0, typeBytes));
      rest = rest.subarray(end);
      typeBytes = 1;
    }
    return types;
  };
}
