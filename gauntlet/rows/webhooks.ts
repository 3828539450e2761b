import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sign } from "@fieldmesh/webhook-types";
import { toNodeHandler } from "@fieldmesh/webhook-types/adapters";
import { createReceiver, memoryStore, type Receiver } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { listen } from "../parts/listen.ts";
import { KEY, showsKey } from "../run/canary.ts";
import type { Case } from "../run/cases.ts";

const FAMILY = "Webhooks";
const SECRET = `whsec_${KEY}`;
const EVENT = JSON.stringify(sampleEvent("sim.activated"));
const MIB = 2 ** 20;
// A server that closes while more is arriving resets the connection, and a reset can overtake the response.
const TOO_LONG = "413|left ×0";

/** One delivery: its body, and its headers. */
interface Delivery {
  readonly body: string | Buffer;
  readonly headers: Record<string, string>;
  readonly method?: string;
}

/** Deliveries to a receiver, and their required results. */
interface WebhookRow {
  readonly fault: string;
  /** Sent one by one. Those of an inner list are sent at once. */
  readonly deliveries: () => Promise<(Delivery | Delivery[])[]>;
  /** The statuses, and how often the handler ran. */
  readonly ends: string;
  /** The handler throws the first time. */
  readonly fails?: true;
}

const now = () => Math.floor(Date.now() / 1000);

/** A delivery as the service sends it, with another body, secret or time. */
async function signed({
  body = EVENT as string | Buffer,
  secret = SECRET,
  at = now(),
} = {}): Promise<Delivery> {
  const headers = await sign({ secret, body, timestamp: at });
  return { body, headers: { "content-type": "application/json", ...headers } };
}

/** A correct delivery with a changed signature header. */
const header = (change: (right: string) => string) => async (): Promise<Delivery[]> => {
  const { body, headers } = await signed();
  return [{ body, headers: { "platform-signature": change(headers["platform-signature"] ?? "") } }];
};

const rows: readonly WebhookRow[] = [
  { fault: "no fault", deliveries: async () => [await signed()], ends: "200 ×1" },
  {
    fault: "the same delivery again",
    deliveries: async () => {
      const delivery = await signed();
      return [delivery, delivery, delivery];
    },
    ends: "200 200 200 ×1",
  },
  {
    fault: "the same event again, signed at another time",
    deliveries: async () => [await signed(), await signed({ at: now() - 5 })],
    ends: "200 200 ×1",
  },
  {
    fault: "twenty deliveries of one event at once",
    deliveries: async () => [await Promise.all(Array.from({ length: 20 }, () => signed()))],
    ends: `${Array.from({ length: 20 }, () => "200|503").join(" ")} ×1`,
  },
  {
    fault: "the handler throws, and the event is delivered again",
    deliveries: async () => [await signed(), await signed(), await signed()],
    fails: true,
    ends: "500 200 200 ×2",
  },
  { fault: "no signature", deliveries: async () => [{ body: EVENT, headers: {} }], ends: "401 ×0" },
  {
    fault: "a signature made with another secret",
    deliveries: async () => [await signed({ secret: "whsec_of_another_receiver" })],
    ends: "401 ×0",
  },
  {
    fault: "a signature of the wrong length",
    deliveries: header((right) => right.slice(0, -2)),
    ends: "401 ×0",
  },
  {
    fault: "a signature of zeros only",
    deliveries: header((right) => right.replace(/v1=.*/, `v1=${"0".repeat(64)}`)),
    ends: "401 ×0",
  },
  {
    fault: "a wrong signature and the correct one",
    deliveries: header((right) => right.replace("v1=", `v1=${"0".repeat(64)},v1=`)),
    ends: "200 ×1",
  },
  {
    fault: "two wrong signatures",
    deliveries: header((right) =>
      right.replace(/v1=.*/, `v1=${"0".repeat(64)},v1=${"1".repeat(64)}`),
    ),
    ends: "401 ×0",
  },
  {
    fault: "the correct signature, labeled as another version",
    deliveries: header((right) => right.replace("v1=", "v0=")),
    ends: "401 ×0",
  },
  { fault: "two timestamps", deliveries: header((right) => `t=1,${right}`), ends: "401 ×0" },
  {
    fault: "two timestamps, of which the first is the signed one",
    deliveries: header((right) => `${right},t=1`),
    ends: "401 ×0",
  },
  {
    fault: "the signed timestamp twice",
    deliveries: header((right) => right.replace(/(t=\d+)/, "$1,$1")),
    ends: "200 ×1",
  },
  {
    fault: "a timestamp that is not the signed one",
    deliveries: header((right) => right.replace(/t=\d+/, `t=${now() - 1}`)),
    ends: "401 ×0",
  },
  {
    fault: "a timestamp written as 1e9",
    deliveries: header((right) => right.replace(/t=\d+/, "t=1e9")),
    ends: "401 ×0",
  },
  {
    fault: "a delivery signed an hour ago",
    deliveries: async () => [await signed({ at: now() - 3_600 })],
    ends: "401 ×0",
  },
  {
    fault: "a delivery signed an hour ahead",
    deliveries: async () => [await signed({ at: now() + 3_600 })],
    ends: "401 ×0",
  },
  {
    fault: "a body that was changed after it was signed",
    deliveries: async () => [{ ...(await signed()), body: `${EVENT.slice(0, -1)} }` }],
    ends: "401 ×0",
  },
  {
    fault: "a byte order mark that was not signed",
    deliveries: async () => [{ ...(await signed()), body: `\ufeff${EVENT}` }],
    ends: "401 ×0",
  },
  {
    fault: "an empty body",
    deliveries: async () => [{ ...(await signed()), body: "" }],
    ends: "401 ×0",
  },
  {
    fault: "a signed body that is not JSON",
    deliveries: async () => [await signed({ body: "nonsense" })],
    ends: "400 ×0",
  },
  {
    fault: "a signed body that is not an event",
    deliveries: async () => [await signed({ body: "[1,2]" })],
    ends: "400 ×0",
  },
  {
    fault: "a signed body with invalid UTF-8",
    deliveries: async () => [await signed({ body: Buffer.from([0x7b, 0xff, 0x7d]) })],
    ends: "400|401 ×0",
  },
  {
    fault: "an event of an unknown type",
    deliveries: async () => [
      await signed({ body: EVENT.replace("sim.activated", "sim.exploded") }),
    ],
    ends: "200 ×0",
  },
  {
    fault: "an event with a field named __proto__",
    deliveries: async () => [
      await signed({ body: EVENT.replace("{", '{"__proto__":{"livemode":true},') }),
    ],
    ends: "200 ×1",
  },
  {
    fault: "a body of 2 MiB",
    deliveries: async () => [await signed({ body: " ".repeat(2 * MIB) })],
    ends: TOO_LONG,
  },
  {
    fault: "signed lists, nested 100,000 deep",
    deliveries: async () => [await signed({ body: "[".repeat(100_000) + "]".repeat(100_000) })],
    ends: "400 ×0",
  },
  {
    fault: "a GET",
    deliveries: async () => [{ body: "", headers: {}, method: "GET" }],
    ends: "405 ×0",
  },
];

/** A fault that needs its own connection: the row writes to the socket. */
interface WireRow {
  readonly fault: string;
  readonly play: (socket: Socket, delivery: Delivery) => unknown;
  /** The status, if the row waits for one, and how often the handler ran. */
  readonly ends: string;
}

const wireRows: readonly WireRow[] = [
  {
    fault: "the body arrives slowly, over half a second",
    play: async (socket, delivery) => {
      socket.write(headOf(delivery));
      for (let at = 0; at < delivery.body.length; at += 20) {
        socket.write(delivery.body.slice(at, at + 20));
        await sleep(20);
      }
    },
    ends: "200 ×1",
  },
  {
    fault: "the sender disconnects in the middle of the body",
    play: (socket, delivery) => {
      socket.write(headOf(delivery));
      socket.write(delivery.body.slice(0, 20), () => socket.resetAndDestroy());
    },
    ends: "left ×0",
  },
  {
    fault: "a content-length of 1 GB",
    play: (socket, delivery) => socket.write(headOf(delivery, { "content-length": "1000000000" })),
    ends: TOO_LONG,
  },
  {
    fault: "endless chunks",
    play: (socket, delivery) => {
      socket.write(headOf(delivery, { "content-length": "", "transfer-encoding": "chunked" }));
      const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on("drain", more);
      more();
    },
    ends: TOO_LONG,
  },
  {
    fault: "200 wrong signatures before the correct one",
    play: (socket, { body, headers }) => {
      const wrong = Array.from(
        { length: 200 },
        (_, index) => `v1=${String(index).padStart(64, "0")}`,
      );
      const right = headers["platform-signature"] ?? "";
      const changed = {
        ...headers,
        "platform-signature": right.replace("v1=", `${wrong.join(",")},v1=`),
      };
      socket.write(headOf({ body, headers: changed }));
      socket.write(body);
    },
    ends: "401 ×0",
  },
];

/** Sends the deliveries of a row to its own receiver. */
async function runRow(row: WebhookRow, send: Send): Promise<string> {
  const { receiver, end } = startReceiver(row.fails);
  const statuses: string[] = [];
  for (const next of await row.deliveries())
    statuses.push(
      ...(await Promise.all([next].flat().map((delivery) => send(receiver, delivery)))),
    );
  return end(statuses);
}

async function runWireRow(row: WireRow): Promise<string> {
  const { receiver, end } = startReceiver();
  const delivery = await signed();
  return end([await overTcp(receiver, (socket) => row.play(socket, delivery))]);
}

function startReceiver(fails = false) {
  let handled = 0;
  const seen: unknown[] = [];
  const see = (...all: unknown[]) => void seen.push(all);
  const receiver = createReceiver({
    secret: SECRET,
    store: memoryStore(),
    logger: { debug: see, warn: see, error: see },
    onError: see,
    handlers: {
      "sim.activated": async () => {
        handled++;
        await sleep(10);
        if (fails && handled === 1) throw new Error("the handler of the row");
      },
    },
  });
  const end = (statuses: readonly string[]) =>
    `${statuses.join(" ")} ×${handled}${showsKey(seen) ? " KEY-SHOWN" : ""}`;
  return { receiver, end };
}

type Send = (receiver: Receiver, delivery: Delivery) => Promise<string>;

/** The two ways into a receiver. */
const DOORS: Readonly<Record<string, Send>> = {
  // The body arrives in two parts, as over a slow connection.
  "Node server": (receiver, delivery) =>
    overTcp(receiver, async (socket) => {
      const middle = delivery.body.length / 2;
      socket.write(headOf(delivery));
      socket.write(delivery.body.slice(0, middle));
      await sleep(5);
      socket.write(delivery.body.slice(middle));
    }),
  Request: async (receiver, { method = "POST", headers, body }) => {
    const init = { method, headers, ...(method === "POST" && { body: Buffer.from(body) }) };
    return String((await receiver(new Request("http://127.0.0.1/", init))).status);
  },
};

/** Starts a server for the receiver, and returns the status that a connection to it received. */
async function overTcp(receiver: Receiver, write: (socket: Socket) => unknown): Promise<string> {
  const handle = toNodeHandler(receiver);
  const { port, close } = await listen(
    createServer((request, response) => void handle(request, response)),
  );
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", () => undefined);
  const ended = new Promise((resolve) => socket.once("close", resolve));
  await write(socket);
  await ended;
  await sleep(20);
  await close();
  return received.split(" ")[1] ?? "left";
}

function headOf(
  { method = "POST", headers, body }: Delivery,
  changed: Record<string, string> = {},
): string {
  const length = String(Buffer.byteLength(body));
  const all = {
    host: "127.0.0.1",
    connection: "close",
    "content-length": length,
    ...headers,
    ...changed,
  };
  const lines = Object.entries(all).filter(([, value]) => value !== "");
  return `${method} / HTTP/1.1\r\n${lines.map((line) => `${line.join(": ")}\r\n`).join("")}\r\n`;
}

export const webhookCases: readonly Case[] = [
  ...rows.flatMap((row) =>
    Object.entries(DOORS).map(([door, send]) => ({
      family: FAMILY,
      fault: row.fault,
      door,
      expected: row.ends,
      run: () => runRow(row, send),
    })),
  ),
  ...wireRows.map((row) => ({
    family: FAMILY,
    fault: row.fault,
    door: "Node server",
    expected: row.ends,
    run: () => runWireRow(row),
  })),
];
