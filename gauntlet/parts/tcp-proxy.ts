import { connect, createServer, type Socket } from "node:net";
import type { Chance } from "./chance.ts";
import type { Context, World } from "./row.ts";
import { listen } from "./listen.ts";
import { IDLE, startOrigin, type Respond } from "./origin.ts";

/** One request on its way through the proxy. */
export interface Exchange extends Context {
  /** The connection to the client. */
  readonly client: Socket;
  /** The request, byte for byte. */
  readonly request: Buffer;
  /** Counts the requests over all connections, from 1. */
  readonly number: number;
  /** Sends the request to the server and returns its response, byte for byte: from then on the work is done. */
  readonly forward: () => Promise<Buffer>;
}

/** What the proxy does with a request. */
export type Fault = (exchange: Exchange) => unknown;

/** When the proxy interferes. */
export interface Faults {
  /** When a connection was accepted. */
  readonly onConnect?: (client: Socket, context: Context & { number: number }) => unknown;
  /** When the first bytes of a request have arrived. */
  readonly onFirstBytes?: (client: Socket, context: Context) => unknown;
  /** When the whole request has arrived. @default forwards it, and the response in random parts */
  readonly onRequest?: Fault;
}

/** Makes the world of a row: a server behind a proxy with a fault. */
export function proxy(onRequest: Fault, respond?: Respond): (context: Context) => Promise<World> {
  return proxyWith({ onRequest }, respond);
}

/** Like `proxy`, with faults at other times. */
export function proxyWith(faults: Faults, respond?: Respond): (context: Context) => Promise<World> {
  return async (context) => {
    const origin = await startOrigin(respond);
    const { port, leftOpen, close } = await startProxy(origin.port, faults, context);
    return {
      url: `http://127.0.0.1:${port}`,
      requests: origin.requests,
      posts: origin.posts,
      leftOpen,
      async [Symbol.asyncDispose]() {
        await close();
        await origin[Symbol.asyncDispose]();
      },
    };
  };
}

async function startProxy(originPort: number, faults: Faults, context: Context) {
  const { onConnect, onFirstBytes, onRequest = passOn } = faults;
  let connections = 0;
  let requests = 0;
  /** Connections on which a whole request has arrived, and nothing was sent back yet. */
  const unanswered = new Map<Socket, number>();
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    onConnect?.(client, { ...context, number: ++connections });
    let received = Buffer.alloc(0);
    client.on("close", () => unanswered.delete(client));
    client.on("end", () => client.writable && client.end());
    client.on("data", (chunk: Buffer) => {
      if (received.length === 0) onFirstBytes?.(client, context);
      received = Buffer.concat([received, chunk]);
      if (client.destroyed || !isWhole(received)) return;
      unanswered.set(client, client.bytesWritten);
      const request = received;
      received = Buffer.alloc(0);
      const forward = () => exchange(originPort, request);
      const play = async () =>
        onRequest({ ...context, client, request, number: ++requests, forward });
      // The server is closed at the end of the row.
      play().catch(() => client.destroy());
    });
  });
  const { port, open, close } = await listen(server);
  const waiting = () =>
    [...unanswered].filter(([{ bytesWritten }, before]) => bytesWritten === before);
  return { port, close, leftOpen: () => Math.max(waiting().length, open() - IDLE) };
}

/** Sends bytes to a server and returns what comes back. */
function exchange(port: number, request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (!isWhole(received)) return;
      socket.destroy();
      resolve(received);
    });
  });
}

/** Returns the index at which the body of a message begins, or -1. */
function bodyStart(message: Buffer): number {
  const end = message.indexOf("\r\n\r\n");
  return end === -1 ? -1 : end + "\r\n\r\n".length;
}

/** Returns true if the message is complete: every message here has a content-length, or no body. */
function isWhole(message: Buffer): boolean {
  const start = bodyStart(message);
  if (start === -1) return false;
  const head = message.subarray(0, start).toString("latin1");
  return message.length >= start + Number(/\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
}

/** Forwards the request, and the response in random parts. */
export const passOn: Fault = async ({ client, forward, chance }) => {
  await write(client, chance.split(await forward()));
};

/** Forwards the request, so that it is carried out, and sends another response. `%BODY` stands for the right body. */
export function respondRaw(
  text: string | Buffer | ((request: Buffer) => string | Buffer),
  { end = true } = {},
): Fault {
  return async ({ client, request, forward, chance }) => {
    await forward();
    const given = typeof text === "function" ? text(request) : text;
    await write(
      client,
      chance.split(Buffer.isBuffer(given) ? given : Buffer.from(given, "latin1")),
    );
    if (end) client.end();
  };
}

/** Writes parts one by one, each as its own packet. */
export async function write(client: Socket, parts: readonly Buffer[]): Promise<void> {
  for (const part of parts) {
    if (client.destroyed) return;
    if (part.length > 0) client.write(part);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Forwards the request, and cuts the response after a random number of its bytes: of its head, or of its body. */
export function cut(part: "head" | "body", how: "end" | "resetAndDestroy"): Fault {
  return async ({ client, forward, chance }) => {
    const response = await forward();
    const start = bodyStart(response);
    const [first, last] = part === "head" ? [1, start - 1] : [start, response.length - 1];
    client.write(response.subarray(0, chance.int(first, last)), () => client[how]());
  };
}

/** Writes random parts of a response, with pauses in between. */
export async function drip(
  client: Socket,
  bytes: Buffer,
  { every, chance, ended }: { every: number; chance: Chance; ended: AbortSignal },
): Promise<void> {
  for (const part of chance.split(bytes)) {
    if (ended.aborted || client.destroyed) return;
    client.write(part);
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}
