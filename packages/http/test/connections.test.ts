import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { ApiError } from "../src/index.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { createThings, errorOf, thing } from "./things.ts";

test("redirects open no additional connections", async () => {
  await using server = await startHttp(({ url }, response) => {
    if (url === "/v1/things/moved")
      response.writeHead(302, { location: "/v1/things/one" }).end("moved".repeat(2_000));
    else sendJson(response, { data: thing });
  });
  const things = createThings({ baseUrl: server.baseUrl, retry: false });
  for (let i = 0; i < 20; i++) await things.get({ name: "moved" });
  expect(server.received).toHaveLength(40);
  // fetch may open a second connection before it notices that the first one is free.
  expect(server.opened()).toBeLessThanOrEqual(2);
});

test("the client cancels a body beyond the limit and closes its connection", async () => {
  let inProgress: ServerResponse | undefined;
  await using server = await startHttp((_, response) => {
    inProgress = response.writeHead(200);
    response.write("[".repeat(100_000));
  });
  const things = createThings({ baseUrl: server.baseUrl, retry: false });
  const closed = errorOf(things.list({ maxResponseBytes: 1_000 })).then(() =>
    once(inProgress!, "close"),
  );
  await expect(closed).resolves.toBeDefined();
});

test("the client keeps nothing of an error page that is too large", async () => {
  const page = "x".repeat(300 * 1024);
  await using server = await startHttp((_, response) => response.writeHead(502).end(page));
  const error = await errorOf<ApiError>(
    createThings({ baseUrl: server.baseUrl, retry: false }).list(),
  );
  expect(error.status).toBe(502);
  expect(error.body.reveal()).toBe("");
});
