import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { SeverityNumber } from "@opentelemetry/api";
import { stringifyJson } from "@fieldmesh/core";
import { everythingPrinted, findCanary } from "../../../tools/canaries/canaries.ts";
import { startFakeServer } from "../../../tools/testing/http-server.ts";
import {
  sampleResponse,
  secretsReceived,
  secretsSent,
} from "../../../tools/testing/row-samples.ts";
import { API_KEY, callWithSample, rows } from "../../../tools/testing/services.ts";
import { traceFieldmesh } from "../src/index.ts";
import { startSdk } from "./sdk.ts";
import http from "node:http";

// The tests call every row with its secrets, with and without the bridge, next to the instrumentation of undici and http.

const sdk = startSdk();
afterAll(() => sdk.stop());
beforeEach(async () => await sdk.reset());

const FETCHES = { undici: globalThis.fetch, http: fetchByHttp };
const log = (severityText: string) => (body: string, fields: object) =>
  sdk.logger.emit({
    body,
    severityText,
    severityNumber: SeverityNumber.INFO,
    attributes: fields as never,
  });
/** Emits log records as the instrumentation of a logger does. */
const logger = { debug: log("DEBUG"), info: log("INFO"), warn: log("WARN"), error: log("ERROR") };

type Row = (typeof rows)[number];

/** The calls that read back what they created, because the last response is a success without the record. */
const READING_BACK: ReadonlySet<string> = new Set(["devices.create", "labels.create"]);

/** Calls a row against servers that succeed, that repeat its secrets, and that are gone. */
async function callEach(each: Row, fetch: keyof typeof FETCHES, secrets: readonly string[]) {
  const echo = stringifyJson({
    errors: { error: secrets, name: secrets },
    message: secrets.join(),
  });
  const options = { fetch: FETCHES[fetch] as never, retry: { attempts: 2, baseDelay: 0 }, logger };
  const call = async (baseUrl: string): Promise<unknown> =>
    await callWithSample(each, { ...options, baseUrl }).catch((error: unknown) => error);
  for (const response of [
    sampleResponse(each.row),
    { status: 500, body: echo },
    { status: 422, body: echo },
    { body: echo },
  ]) {
    await using server = await startFakeServer(response);
    await call(server.baseUrl);
  }
  await using gone = await startFakeServer({ body: "" });
  await gone[Symbol.asyncDispose]();
  await call(gone.baseUrl);
}

describe.each(rows)("$call", (each) => {
  const { row, service } = each;
  const isPublic = service.credential === undefined;
  const sent = isPublic ? [] : [API_KEY, ...secretsSent(row)];
  const secrets = isPublic ? [] : [...sent, ...secretsReceived(row)];

  test.each(["undici", "http"] as const)(
    "no secret is exported if requests are sent with %s",
    async (fetch) => {
      const stop = traceFieldmesh();
      try {
        await callEach(each, fetch, sent);
      } finally {
        stop();
      }
      const spans = sdk.spans();
      // There are at least six attempts, and five calls and those that read back. A list reads one page.
      expect(spans.filter(({ attributes }) => "url.template" in attributes).length).toBeGreaterThan(
        5,
      );
      const calls = READING_BACK.has(each.call) ? 6 : 5;
      expect(spans.filter(({ attributes }) => "fieldmesh.call.id" in attributes)).toHaveLength(
        calls,
      );
      const scopes = new Set(spans.map((span) => span.instrumentationScope.name));
      expect([...scopes]).toEqual(["@fieldmesh/opentelemetry"]);
      const printed = everythingPrinted(await sdk.exported());
      expect(printed).toContain("http.client.request.duration");
      expect(printed).not.toMatch(/url\.(full|path|query)|http\.(url|target)/);
      expect(findCanary(printed)).toBeUndefined();
      for (const secret of secrets) expect(printed).not.toContain(secret);
    },
  );
});

describe("without the bridge, the instrumentation of", () => {
  const find = rows.find(({ call }) => call === "devices.find")!;
  const [appKey = ""] = secretsSent(find.row);

  test.each(["undici", "http"] as const)(
    "%s exports the URL, which contains a key, also after traceFieldmesh was stopped",
    async (fetch) => {
      for (const prepare of [() => {}, () => traceFieldmesh()()]) {
        await sdk.reset();
        prepare();
        await callEach(find, fetch, []);
        expect(sdk.spans().length).toBeGreaterThan(5);
        expect(JSON.stringify(sdk.spans().map(({ attributes }) => attributes))).toContain(appKey);
      }
    },
  );
});

/** Sends requests with node:http, as axios, got and node-fetch do. For the option `fetch`. */
async function fetchByHttp(
  url: string,
  init: { method: string; headers: Headers; body?: string; signal: AbortSignal },
): Promise<Response> {
  const { method, headers, body, signal } = init;
  return await new Promise<Response>((resolve, reject) => {
    const request = http.request(
      url,
      { method, headers: Object.fromEntries(headers), signal },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve(new Response(Buffer.concat(chunks), { status: response.statusCode ?? 0 })),
        );
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
