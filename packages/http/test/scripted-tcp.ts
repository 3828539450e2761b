import { createServer, type AddressInfo, type Socket } from "node:net";

/** What a scripted server does with a complete request. */
export type TcpStep =
  /** Reset the connection without a response. */
  | { readonly kind: "reset" }
  /** Send this part of a response, then break the connection. */
  | { readonly kind: "cut"; readonly after: string }
  /** Send this string a byte at a time, and never the rest. */
  | { readonly kind: "drip"; readonly text: string; readonly everyMs: number }
  /** Send no response. */
  | { readonly kind: "hang" }
  /** Send something that is not HTTP. */
  | { readonly kind: "garbage" }
  /** Send this response. */
  | { readonly kind: "respond"; readonly text: string };

/** Returns a complete HTTP response as a string. */
export function httpResponse(body: string, { status = "200 OK", headers = "" } = {}): string {
  return `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}

/**
 * Starts a TCP server on loopback that plays one step of a script for each request, and repeats the last step. It records
 * each complete request, whatever happens to its response.
 */
export async function startScriptedTcp(...script: [TcpStep, ...TcpStep[]]) {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let buffered = "";
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      buffered += chunk.toString("latin1");
      if (!isWhole(buffered)) return;
      const step = script[Math.min(received.length, script.length - 1)] ?? script[0];
      received.push(buffered);
      buffered = "";
      void play(step, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return text.length >= end + 4 + length;
}

async function play(step: TcpStep, socket: Socket): Promise<void> {
  switch (step.kind) {
    case "reset":
      socket.resetAndDestroy();
      return;
    case "cut":
      socket.end(step.after);
      return;
    case "drip":
      for (const character of step.text) {
        if (socket.destroyed) return;
        socket.write(character);
        await new Promise((resolve) => setTimeout(resolve, step.everyMs));
      }
      return;
    case "hang":
      return;
    case "garbage":
      socket.end("this is not HTTP\r\n\r\n");
      return;
    case "respond":
      socket.write(step.text);
  }
}
