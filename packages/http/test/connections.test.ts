import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { startHttp } from "../../../tools/testing/http-server.ts";
import { createThings, errorOf } from "./things.ts";

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
