import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConsoleClient } from "@fieldmesh/console-client";
import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import axios from "axios";
import got from "got";
import ky from "ky";
import nodeFetch from "node-fetch";
import { ofetch } from "ofetch";
import OpenAI from "openai";
import { Stripe } from "stripe";
import superagent from "superagent";
import { fetch as undiciFetch } from "undici";
import { KEY } from "../run/canary.ts";

/** The request of every client: a GET, or a POST of JSON. */
export interface Request {
  readonly method: "GET" | "POST";
  readonly origin: string;
  /** Milliseconds for an attempt. */
  readonly timeout: number;
}

/** A client with a timeout and quick retries, if it has options for them. All other options are the defaults. */
export type Send = (request: Request) => Promise<unknown>;

const PATH = "/api/v1/labels";
const BODY = { name: "Pumps" };
const headers = { key: KEY };
const QUICK = 20;
const LIMITED = { maxResponseBytes: 2 ** 20 };
const json = (method: string) => (method === "POST" ? { json: BODY } : {});

/** The client of this package, for the same checks. */
export const OURS = "@fieldmesh/console-client";

export const clients: Readonly<Record<string, Send>> = {
  [OURS]: async ({ method, origin, timeout }) => {
    const client = createConsoleClient({
      baseUrl: origin,
      apiKey: KEY,
      timeout,
      allowInsecureHttp: true,
      retry: { baseDelay: QUICK, maxDelay: QUICK },
    });
    const body = method === "POST" ? { body: BODY } : {};
    return await client.request({ method, path: PATH, ...body }, LIMITED);
  },
  undici: async ({ method, origin, timeout }) => {
    const init = { method, headers, signal: AbortSignal.timeout(timeout) };
    const response = await undiciFetch(origin + PATH, { ...init, ...fetchBody(method) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.json();
  },
  "node-fetch": async ({ method, origin, timeout }) => {
    const init = { method, headers, signal: AbortSignal.timeout(timeout) };
    const response = await nodeFetch(origin + PATH, { ...init, ...fetchBody(method) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.json();
  },
  ky: ({ method, origin, timeout }) =>
    ky(origin + PATH, {
      method,
      headers,
      timeout,
      retry: { backoffLimit: QUICK },
      ...json(method),
    }).json(),
  ofetch: ({ method, origin, timeout }) =>
    ofetch(origin + PATH, {
      method,
      headers,
      timeout,
      retryDelay: QUICK,
      ...(method === "POST" && { body: BODY }),
    }),
  axios: async ({ method, origin, timeout }) =>
    (
      await axios({
        method,
        url: origin + PATH,
        headers,
        timeout,
        ...(method === "POST" && { data: BODY }),
      })
    ).data as unknown,
  got: ({ method, origin, timeout }) =>
    got(origin + PATH, {
      method,
      headers,
      timeout: { request: timeout },
      retry: { backoffLimit: QUICK },
      ...json(method),
    }).json(),
  superagent: async ({ method, origin, timeout }) => {
    const request = superagent(method, origin + PATH)
      .set(headers)
      .timeout(timeout);
    return (await (method === "POST" ? request.send(BODY) : request)).body as unknown;
  },
  openai: ({ method, origin, timeout }) => {
    const client = new OpenAI({ apiKey: KEY, baseURL: origin, timeout });
    return method === "POST" ? client.post(PATH, { body: BODY }) : client.get(PATH);
  },
  stripe: ({ method, origin, timeout }) => {
    const { hostname: host, port, protocol } = new URL(origin);
    const client = new Stripe(KEY, {
      host,
      port,
      protocol: protocol === "https:" ? "https" : "http",
      timeout,
      telemetry: false,
    });
    return client.rawRequest(method, PATH, method === "POST" ? BODY : undefined);
  },
  "@octokit/core": async ({ method, origin, timeout }) => {
    const silent = () => undefined;
    const client = new (Octokit.plugin(retry))({
      baseUrl: origin,
      auth: KEY,
      log: { debug: silent, info: silent, warn: silent, error: silent },
      retry: { retryAfterBaseValue: QUICK },
      request: { signal: AbortSignal.timeout(timeout) },
    });
    return (await client.request(`${method} ${PATH}`, method === "POST" ? BODY : {}))
      .data as unknown;
  },
};

function fetchBody(method: string) {
  return method === "POST" ? { body: JSON.stringify(BODY) } : {};
}

/** Returns the version of a client that is installed here. */
export function versionOf(name: string): string {
  const file = join(import.meta.dirname, "../node_modules", name, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
