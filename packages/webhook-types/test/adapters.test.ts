import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import type {
  ALBEvent,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyResult,
  APIGatewayProxyStructuredResultV2,
  ALBResult,
} from "aws-lambda";
import express from "express";
import express4 from "express-4";
import fastify from "fastify";
import { Hono } from "hono";
import { NextRequest } from "next/server.js";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import {
  toExpressHandler,
  toFastifyPlugin,
  toHonoHandler,
  toLambdaHandler,
  toNestHandler,
  toNextHandler,
  toNodeHandler,
  type LambdaEvent,
  type LambdaResult,
  type RawReceiver,
} from "../src/adapters/index.ts";
import { readNode } from "../src/adapters/node.ts";
import { sign } from "../src/index.ts";
import { createReceiver, noStore } from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { closers, frameworks, listen } from "./frameworks.ts";

const secret = "whsec_test";
// Spaces and an escape that no serializer would write, and a character of two bytes.
const body = ` ${JSON.stringify(sampleEvent("plan.created", { data: { object: { name: "Ünlimited" } } })).replace("plan", "pl\\u0061n")}\n`;
const signed = { ...(await sign({ secret, body })), "content-type": "application/json" };
/** No parser reads its body. */
const plain = { ...signed, "content-type": "text/plain" };

function receiverOf(onOutcome?: (outcome: string) => void) {
  const names: unknown[] = [];
  const errors: unknown[] = [];
  const receive = createReceiver({
    secret,
    store: noStore(),
    maxBytes: 10_000,
    onError: (error) => errors.push(error),
    onOutcome: ({ outcome }) => onOutcome?.(outcome),
    handlers: { "plan.created": ({ data }) => names.push(data.object["name"]) },
  });
  return { receive, names, errors };
}

type Receive = ReturnType<typeof receiverOf>["receive"];

const readAll = (req: IncomingMessage) => req.readableEnded || once(req.resume(), "end");
const hints: Record<string, RegExp> = {
  "node:http": /Pass the request to the receiver first/,
  "Express 4":
    /Move app\.post\(…, toExpressHandler\(receive\)\) above app\.use\(express\.json\(\)\)/,
  "Express 5":
    /Move app\.post\(…, toExpressHandler\(receive\)\) above app\.use\(express\.json\(\)\)/,
  NestJS: /NestFactory\.create\(AppModule, \{ rawBody: true \}\)/,
  "Fastify 5": /without preParsing hooks/,
};

describe.each(Object.entries(frameworks))("%s", (name, start) => {
  test("the very bytes that came are verified", async () => {
    const { receive, names } = receiverOf();
    const url = await start(receive);
    const answer = await fetch(url, { method: "POST", headers: signed, body });
    expect([answer.status, await answer.text()]).toEqual([200, "handled"]);
    expect(names).toEqual(["Ünlimited"]);
    const forged = { ...signed, "platform-signature": "t=1,v1=00" };
    expect((await fetch(url, { method: "POST", headers: forged, body })).status).toBe(401);
  });

  test("code that read the body before is named, with the line to change", async () => {
    const { receive, names, errors } = receiverOf();
    const url = await start(receive, readAll);
    const answer = await fetch(url, { method: "POST", headers: signed, body });
    expect(answer.status).toBe(500);
    expect(String(errors)).toMatch(hints[name] ?? "no hint");
    expect(names).toEqual([]);
  });

  test("without a signature, the response comes before the body has arrived", async () => {
    const { receive, errors } = receiverOf();
    const url = await start(receive);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { "content-type": "text/plain", "content-length": "5000" };
      const request = httpRequest(url, { method: "POST", headers });
      request.on("response", (answer) => {
        resolve(answer.resume().statusCode);
        request.destroy();
      });
      request.on("error", reject);
      request.write("{");
    });
    expect([status, errors]).toEqual([401, []]);
  });

  test("a long body without content-length is rejected while it arrives", async () => {
    const { receive } = receiverOf();
    const url = await start(receive);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(url, {
        method: "POST",
        headers: { ...signed, "content-type": "text/plain" },
      });
      request.on("response", (answer) => resolve(answer.resume().statusCode));
      request.on("error", reject);
      // The body never ends: an adapter that reads all of it waits forever.
      request.write("x".repeat(10_001));
    });
    expect(status).toBe(413);
  });
});

describe.each(Object.entries(frameworks))("%s", (_name, start) => {
  test("the signal of a message aborts when its sender disconnects, and not after a response", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const begun = Promise.withResolvers<void>();
    let hangs = true;
    const receive: RawReceiver["receive"] = async ({ signal, body: read }) => {
      if (typeof read === "function") await read(10_000, new AbortController().signal);
      signals.push(signal);
      begun.resolve();
      // It never ends, so only the sender can end the request.
      if (hangs) await new Promise(() => undefined);
      return { status: 200, headers: {}, body: "handled" };
    };
    const url = await start({ receive });
    const request = httpRequest(url, { method: "POST", headers: signed });
    request.on("error", () => undefined).end(body);
    await begun.promise;
    expect(signals[0]?.aborted).toBe(false);
    request.destroy();
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
    hangs = false;
    const answer = await fetch(url, { method: "POST", headers: signed, body });
    expect(await answer.text()).toBe("handled");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(signals[1]?.aborted).toBe(false);
  });

  test("a receiver that is done after a timeout has responded throws nothing", async () => {
    const rejected: unknown[] = [];
    const onRejection = (error: unknown) => void rejected.push(error);
    process.on("unhandledRejection", onRejection);
    closers.push(() => process.off("unhandledRejection", onRejection));
    const end = Promise.withResolvers<void>();
    const handled = Promise.withResolvers<void>();
    const receive = createReceiver({
      secret,
      store: noStore(),
      handlers: { "*": () => end.promise },
      onOutcome: () => handled.resolve(),
    });
    const url = await start(receive, (_req, res) => {
      setTimeout(() => res.writeHead(503).end("timeout"), 20);
    });
    const answer = await fetch(url, { method: "POST", headers: plain, body });
    expect([answer.status, await answer.text()]).toEqual([503, "timeout"]);
    end.resolve();
    await handled.promise;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(rejected).toEqual([]);
  });

  const set = (req: IncomingMessage, values: object) => void Object.assign(req, values);
  // Other runtimes may not have this member of Node's streams.
  const didRead = (req: IncomingMessage, value?: boolean) =>
    Object.defineProperty(req, "readableDidRead", { value });
  test.each<[string, (req: IncomingMessage) => void, number]>([
    ["an empty object, and no reader", (req) => set(req, { body: {} }), 200],
    [
      "a raw body beside a parsed one",
      (req) => set(req.resume(), { body: {}, rawBody: body }),
      200,
    ],
    ["a part that was read", (req) => void didRead(req, true), 500],
    ["an object, in another runtime", (req) => set(didRead(req), { body: {} }), 500],
  ])(
    "reads a body that nobody has read, and reports any other: %s",
    async (_case, before, status) => {
      const { receive } = receiverOf();
      const url = await start(receive, before);
      expect((await fetch(url, { method: "POST", headers: plain, body })).status).toBe(status);
    },
  );
});

const parserTypes = {
  json: "application/json",
  urlencoded: "application/x-www-form-urlencoded",
  raw: "application/octet-stream",
  text: "text/plain",
};
const everyParser = Object.keys(parserTypes) as (keyof typeof parserTypes)[];

describe.each([
  ["Express 4", express4],
  ["Express 5", express as unknown as typeof express4],
])("%s", (_name, framework) => {
  test.each(["none", ...everyParser, "all"])(
    "a body that its parsers left or kept is verified, and one that they replaced is named: %s",
    async (behind) => {
      const parsers = everyParser.filter((each) => behind === "all" || behind === each);
      for (const type of [...Object.values(parserTypes), undefined]) {
        const { receive, errors } = receiverOf();
        const app = framework();
        for (const parser of parsers) app.use(framework[parser]({ extended: true }));
        const handle = toExpressHandler(receive);
        app.post("/hooks", (req, res) => void handle(req, res));
        const headers = {
          ...(await sign({ secret, body })),
          ...(type && { "content-type": type }),
        };
        const init = { method: "POST", headers, body: Buffer.from(body) };
        const { status } = await fetch(await listen(app), init);
        const isReplaced = parsers.some(
          (each) => parserTypes[each] === type && (each === "json" || each === "urlencoded"),
        );
        expect([type, status]).toEqual([type, isReplaced ? 500 : 200]);
        if (isReplaced) expect(String(errors)).toMatch(/^TypeError: A body parser, such as/);
        else expect(errors).toEqual([]);
      }
    },
  );
});

test("the other routes of Fastify keep their parsers", async () => {
  const app = fastify();
  closers.push(() => app.close());
  await app.register(toFastifyPlugin(receiverOf().receive), { prefix: "/hooks" });
  app.post("/echo", (request, reply) => reply.send(request.body));
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/echo`, { method: "POST", headers, body: '{ "a": 1 }' });
  expect(await answer.json()).toEqual({ a: 1 });
});

test("node:http: the attempt ends if the sender disconnects in the middle of its body", async () => {
  const outcomes: string[] = [];
  const { receive, errors } = receiverOf((outcome) => outcomes.push(outcome));
  const handle = toNodeHandler(receive);
  const ended = Promise.withResolvers<void>();
  const url = await listen((req, res) => void handle(req, res).finally(ended.resolve));
  const request = httpRequest(url, {
    method: "POST",
    headers: { ...signed, "content-length": "99" },
  });
  request.on("error", () => {});
  request.write("{", () => request.destroy());
  await ended.promise;
  expect([outcomes, errors]).toEqual([["incomplete"], []]);
});

test("node:http: a body of maxBytes is read, whole, and one byte more is too large", async () => {
  const { receive, names } = receiverOf();
  const handle = toNodeHandler(receive);
  const url = await listen((req, res) => void handle(req, res));
  const post = async (length: number) => {
    const padded = body.padEnd(length);
    const headers = { ...(await sign({ secret, body: padded })) };
    // A stream, so that no content-length says how long it is.
    const stream = new Blob([padded]).stream();
    const init = { method: "POST", headers, body: stream, duplex: "half" };
    return (await fetch(url, init as RequestInit)).status;
  };
  const bytes = 10_000 - (new TextEncoder().encode(body).length - body.length);
  expect([await post(bytes), await post(bytes + 1)]).toEqual([200, 413]);
  expect(names).toEqual(["Ünlimited"]);
});

test("a plugin for Fastify receives at the path / if none is named", async () => {
  const routes: unknown[] = [];
  const receive = createReceiver({ secret, store: noStore(), handlers: {} });
  await toFastifyPlugin(receive)({
    removeAllContentTypeParsers: () => {},
    addContentTypeParser: () => {},
    route: (route: object) => void routes.push(route),
  } as never);
  expect(routes).toMatchObject([{ method: "POST", url: "/" }]);
});

test("a parsed body is rejected with a hint, even before the stream has ended", () => {
  const req = { body: { id: "evt_1" }, readableEnded: false, on: () => {} };
  const { signal } = new AbortController();
  expect(() => readNode(req as never, 1_000, signal, "Mount it first.")).toThrow("Mount it first.");
});

describe.each([
  [
    "Hono",
    (receive: Receive, isParsedBefore: boolean) => {
      const app = new Hono();
      if (isParsedBefore) app.use(async ({ req }, next) => (await req.json(), next()));
      app.post("/hooks", toHonoHandler(receive));
      return async (url: string, init: RequestInit) => app.request(url, init);
    },
    /do not call c\.req\.json\(\)/,
  ],
  [
    "Next.js",
    (receive: Receive, isParsedBefore: boolean) => {
      const POST = toNextHandler(receive);
      return async (url: string, init: RequestInit) => {
        const request = new NextRequest(url, init as ConstructorParameters<typeof NextRequest>[1]);
        if (isParsedBefore) await request.json();
        return POST(request);
      };
    },
    /export const POST = toNextHandler\(receive\)/,
  ],
] as const)("%s", (_name, make, hint) => {
  const url = "http://127.0.0.1/hooks";

  test("the very bytes that came are verified", async () => {
    const { receive, names } = receiverOf();
    const call = make(receive, false);
    expect((await call(url, { method: "POST", headers: signed, body })).status).toBe(200);
    expect(names).toEqual(["Ünlimited"]);
    const long = { method: "POST", headers: signed, body: "x".repeat(10_001) };
    expect((await call(url, long)).status).toBe(413);
  });

  test("without a signature, the body is not read", async () => {
    let isRead = false;
    const stream = new ReadableStream({ pull: () => void (isRead = true) }, { highWaterMark: 0 });
    const { receive, errors } = receiverOf();
    const init = { method: "POST", body: stream, duplex: "half" } as RequestInit;
    expect((await make(receive, false)(url, init)).status).toBe(401);
    expect([isRead, errors]).toEqual([false, []]);
  });

  test("a parser that ran before is named, with the line to change", async () => {
    const { receive, errors } = receiverOf();
    const call = make(receive, true);
    expect((await call(url, { method: "POST", headers: signed, body })).status).toBe(500);
    expect(String(errors)).toMatch(hint);
  });
});

describe("AWS Lambda", () => {
  const http = { method: "POST" };
  const v1 = { httpMethod: "POST", headers: signed, body, isBase64Encoded: false };
  const v2 = { requestContext: { http }, headers: signed, body, isBase64Encoded: false };
  const lists = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name, [value]]));
  const base64 = { body: Buffer.from(body).toString("base64"), isBase64Encoded: true };
  const elb = { requestContext: { elb: { targetGroupArn: "" } } };

  test.each<[string, LambdaEvent]>([
    ["version 1", v1],
    ["version 1 in base64", { ...v1, ...base64 }],
    ["version 2", v2],
    ["version 2 in base64", { ...v2, ...base64 }],
    ["a load balancer", { ...v1, ...elb }],
    ["a load balancer with lists", { ...v1, ...elb, headers: undefined, multiValueHeaders: lists }],
  ])("%s", async (_name, event) => {
    const { receive, names } = receiverOf();
    const answer = await toLambdaHandler(receive)(event);
    expect(answer).toMatchObject({ statusCode: 200, body: "handled", isBase64Encoded: false });
    expect("multiValueHeaders" in answer).toBe("multiValueHeaders" in event);
    expect(names).toEqual(["Ünlimited"]);
  });

  test("matches the types of AWS, rejects long bodies, and reports a parser", async () => {
    const { receive, errors } = receiverOf();
    const handle = toLambdaHandler(receive);
    expectTypeOf<
      APIGatewayProxyEvent | APIGatewayProxyEventV2 | ALBEvent
    >().toExtend<LambdaEvent>();
    expectTypeOf<LambdaResult>().toExtend<
      APIGatewayProxyResult & APIGatewayProxyStructuredResultV2 & ALBResult
    >();
    expect((await handle({ ...v1, body: "x".repeat(10_001) })).statusCode).toBe(413);
    // A request without a body, which the signature does not match.
    expect((await handle({ ...v1, body: null })).statusCode).toBe(401);
    // Without a signature, it is not even decoded.
    const odd = { ...v1, headers: {}, body: "%", isBase64Encoded: true };
    expect((await handle(odd)).statusCode).toBe(401);
    const empty = { ...v1, headers: await sign({ secret, body: "" }) };
    for (const nothing of [null, undefined])
      expect(await handle({ ...empty, body: nothing })).toMatchObject({ body: "not_parsed" });
    expect((await handle({ ...v1, body: JSON.parse(body) as never })).statusCode).toBe(500);
    expect(String(errors)).toContain("httpJsonBodyParser");
  });
});

test.each([
  ["toNodeHandler", toNodeHandler],
  ["toExpressHandler", toExpressHandler],
  ["toFastifyPlugin", toFastifyPlugin],
  ["toHonoHandler", toHonoHandler],
  ["toNextHandler", toNextHandler],
  ["toNestHandler", toNestHandler],
  ["toLambdaHandler", toLambdaHandler],
])("%s rejects anything but a receiver before the first delivery", (_name, adapt) => {
  for (const none of [{ secret, store: noStore(), handlers: {} }, () => {}, undefined])
    expect(() => adapt(none as never)).toThrow("such as the result of createReceiver");
});
