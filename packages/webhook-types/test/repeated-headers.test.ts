import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { Hono } from "hono";
import { NextRequest } from "next/server.js";
import { describe, expect, test, vi } from "vitest";
import * as adapters from "../src/adapters/index.ts";
import { type HeadersLike, platformScheme, sign, standardWebhooks } from "../src/index.ts";
import * as onNode from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples.ts";
import * as web from "../src/verify/mac-web.ts";
import { frameworks } from "./frameworks.ts";

type Receive = ReturnType<typeof onNode.createReceiver>;
type Lists = Readonly<Record<string, readonly string[]>>;
type Send = (headers: Lists) => Promise<number>;

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = JSON.stringify(sampleEvent("sim.activated"));
const method = "POST";

const sendTo =
  (url: string): Send =>
  async (headers) => {
    const request = httpRequest(url, { method, headers: headers as Record<string, string[]> });
    const [response] = (await once(request.end(body), "response")) as [{ statusCode: number }];
    return response.statusCode;
  };

/** Passes headers to a function directly, in a form that some code has them in. */
const direct =
  (receive: Receive, form: (headers: Lists) => unknown): Send =>
  async (headers) => {
    const message = { method, headers: form(headers) as HeadersLike, body };
    return (await receive.receive(message)).status;
  };

const pairsOf = (headers: Lists) =>
  Object.entries(headers).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
const each = (headers: Lists, one: (values: readonly string[]) => unknown) =>
  Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, one(values)]));
const requestOf = (headers: Lists) =>
  new NextRequest("http://127.0.0.1/hooks", { method, headers: pairsOf(headers), body });
const last = (headers: Lists) => each(headers, (values) => values.at(-1)) as Record<string, string>;
const joined = (headers: Lists) => each(headers, (all) => all.join()) as Record<string, string>;

const everyAdapter: Record<string, (receive: Receive) => Send | Promise<Send>> = {
  ...Object.fromEntries(
    Object.entries(frameworks).map(([name, start]) => [
      name,
      async (receive: Receive) => sendTo(await start(receive)),
    ]),
  ),
  Hono: (receive) => {
    const app = new Hono();
    app.post("/hooks", adapters.toHonoHandler(receive));
    return async (headers) => (await app.request(requestOf(headers))).status;
  },
  "Next.js": (receive) => async (headers) =>
    (await adapters.toNextHandler(receive)(requestOf(headers))).status,
  "a web Request": (receive) => async (headers) => (await receive(requestOf(headers))).status,
  // An API gateway of version 1 has the last value in headers.
  "Lambda, version 1": (receive) => async (multiValueHeaders) => {
    const event = { httpMethod: method, headers: last(multiValueHeaders), multiValueHeaders, body };
    return (await adapters.toLambdaHandler(receive)(event)).statusCode;
  },
  "Lambda, version 2": (receive) => async (headers) => {
    const event = { requestContext: { http: { method } }, headers: joined(headers), body };
    return (await adapters.toLambdaHandler(receive)(event)).statusCode;
  },
  "a load balancer": (receive) => async (multiValueHeaders) => {
    const event = { httpMethod: method, multiValueHeaders, body };
    return (await adapters.toLambdaHandler(receive)(event)).statusCode;
  },
  Headers: (receive) => direct(receive, (headers) => new Headers(pairsOf(headers))),
  "a Map": (receive) => direct(receive, (headers) => new Map(Object.entries(headers))),
  "a plain object": (receive) => direct(receive, (headers) => headers),
  "a list of pairs": (receive) => direct(receive, pairsOf),
};

type Signed = Record<string, string>;
const toEach = (form: (ours: string, other: string) => string[]) => (ours: Signed, other: Signed) =>
  Object.fromEntries(
    Object.entries(ours).map(([name, value]) => [name, form(value, other[name] ?? "")]),
  );

const everyForm: Record<string, (ours: Signed, other: Signed) => Lists> = {
  once: toEach((ours) => [ours]),
  "twice, as Node joins it": toEach((ours) => [`${ours}, ${ours}`]),
  "twice, joined without a blank": toEach((ours) => [`${ours},${ours}`]),
  "twice, as a list": toEach((ours) => [ours, ours]),
  "two secrets as a list, ours first": toEach((ours, other) => [ours, other]),
  "two secrets as a list, ours second": toEach((ours, other) => [other, ours]),
  "two secrets, as Node joins them": toEach((ours, other) => [`${other}, ${ours}`]),
  "two secrets, joined without a blank": toEach((ours, other) => [`${other},${ours}`]),
  "a blank after each comma": toEach((ours) => [ours.replaceAll(",", ", ")]),
  "blanks and tabs around each comma": toEach((ours) => [ours.replaceAll(",", " \t,\t ")]),
  "a name in upper case": (ours) =>
    Object.fromEntries(Object.entries(ours).map(([name, value]) => [name.toUpperCase(), [value]])),
};

vi.doMock("#mac", () => web);
vi.resetModules();
const onTheWeb = await import("../src/receiver/index.ts");
vi.doUnmock("#mac");

describe.each([
  ["node:crypto", onNode],
  ["WebCrypto", onTheWeb],
])("by %s", (_build, { createReceiver, noStore }) => {
  describe.each([platformScheme, standardWebhooks])("$name", (scheme) => {
    test.each(Object.entries(everyAdapter))("every form is verified: %s", async (_name, start) => {
      const handlers = { "*": () => undefined };
      const send = await start(createReceiver({ secret, scheme, store: noStore(), handlers }));
      const signing = { body, scheme, id: "msg_1", timestamp: Math.floor(Date.now() / 1_000) };
      const ours = await sign({ ...signing, secret });
      const other = await sign({ ...signing, secret: `whsec_${btoa("another secret")}` });
      const statuses: Record<string, number> = {};
      for (const [form, make] of Object.entries(everyForm))
        statuses[form] = await send(make(ours, other));
      expect(statuses).toEqual(each(everyForm as never, () => 200));
      expect(await send(toEach((_, theirs) => [theirs, theirs])(ours, other))).toBe(401);
    });
  });
});
