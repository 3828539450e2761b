// Two ways to send a round of deliveries, each once and one at a time on each connection, and to wait for all answers.
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";

export interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends everything, and gives how many seconds that took. */
export type Sender = (
  port: number,
  deliveries: readonly Delivery[],
  connections: number,
) => Promise<number>;

const HOST = "127.0.0.1";

/** As services send: the client of node:http, which takes longer for a delivery than a server does. */
export const byClient: Sender = async (port, deliveries, connections) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const left = deliveries.values();
  const sendLeft = async (): Promise<void> => {
    for (const delivery of left) await post(agent, port, delivery);
  };
  const seconds = await timed(() => Promise.all(Array.from({ length: connections }, sendLeft)));
  agent.destroy();
  return seconds;
};

function post(agent: Agent, port: number, { body, headers }: Delivery): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, port, host: HOST, method: "POST", headers });
    outgoing.on("error", reject);
    outgoing.on("response", (answer) => {
      const { statusCode } = answer;
      answer
        .resume()
        .on("end", () =>
          statusCode === 200 ? resolve() : reject(new Error(`answered ${statusCode}`)),
        );
    });
    outgoing.end(body);
  });
}

/**
 * As much as one core can send: bytes that were written before the clock started, over sockets that are looked at without
 * ever sleeping. Over a network nobody pays for waking the sender; on one machine the server would.
 */
export const bySockets: Sender = async (port, deliveries, connections) => {
  const requests = deliveries.map(toWire).values();
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  let isOver = false;
  const stayAwake = (): void => {
    if (!isOver) setImmediate(stayAwake);
  };
  stayAwake();
  const seconds = await timed(() =>
    Promise.all(sockets.map((socket) => exchange(socket, requests))),
  );
  isOver = true;
  for (const socket of sockets) socket.destroy();
  return seconds;
};

function toWire({ body, headers }: Delivery): Buffer {
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`POST / HTTP/1.1\r\nhost: localhost\r\n${head}\r\n${body}`);
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: HOST, noDelay: true }).setEncoding("latin1");
  await once(socket, "connect");
  return socket;
}

/** Ends when there is nothing left to send. */
function exchange(socket: Socket, requests: Iterator<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const sendNext = (): void => {
      const { value } = requests.next();
      if (value === undefined) resolve();
      else socket.write(value);
    };
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server has closed a connection")));
    socket.on("data", (chunk: string) => {
      answer += chunk;
      // Asked first: a refusal ends in another word, and would be waited for without end.
      if (!answer.startsWith("HTTP/1.1 200 ")) reject(new Error(`answered ${answer}`));
      if (!answer.endsWith("handled")) return;
      answer = "";
      sendNext();
    });
    sendNext();
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}
