import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, test } from "vitest";
import type { CallError, ConnectionError, FetchFunction } from "../src/internal.ts";
import { startHttp } from "../../../tools/testing/http-server.ts";
import { createThings, errorOf } from "./things.ts";

test("a call to a server without TLS sends nothing and is not retried", async () => {
  await using server = await startHttp((_, response) => response.end());
  const baseUrl = server.baseUrl.replace("http:", "https:");
  const error = await errorOf<ConnectionError>(createThings({ baseUrl }).create({ name: "one" }));
  expect(error).toMatchObject({ name: "ConnectionError", outcome: "not_sent" });
  expect(error.attempts).toHaveLength(1);
  expect(server.received).toEqual([]);
});

test("a POST is retried if the server hangs up during the handshake, because nothing was sent", async () => {
  let connections = 0;
  const hangUp = (socket: Socket): void => {
    connections++;
    socket.on("error", () => undefined);
    socket.once("data", () => socket.destroy());
  };
  const server = createServer(hangUp);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const error = await errorOf<ConnectionError>(
    createThings({ baseUrl: `https://127.0.0.1:${port}` }).create({ name: "one" }),
  );
  server.close();
  expect(error).toMatchObject({ name: "ConnectionError", outcome: "not_sent" });
  expect(connections).toBe(3);
});

test.for<[string, () => unknown]>([
  ["a revoked proxy", () => revoked()],
  [
    "an error whose message cannot be read",
    () =>
      Object.defineProperty(new TypeError("no"), "message", {
        get: () => {
          throw new Error("canary getter");
        },
      }),
  ],
  [
    "an object whose cause cannot be read",
    () => ({
      get cause() {
        throw new Error("canary getter");
      },
    }),
  ],
])("a fetch that throws %s leaves the outcome unknown", async ([, makeError]) => {
  const fetch: FetchFunction = () => {
    throw makeError();
  };
  const error = await errorOf<CallError>(createThings({ fetch }).create({ name: "one" }));
  expect(error).toMatchObject({ name: "ConnectionError", outcome: "unknown" });
  expect(error.attempts).toHaveLength(1);
  expect(error.message + error.stack).not.toContain("canary");
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test("a call to a port that fetch blocks is not retried", async () => {
  const error = await errorOf<ConnectionError>(
    createThings({ baseUrl: "http://127.0.0.1:1" }).create({ name: "one" }),
  );
  expect(error.outcome).toBe("not_sent");
  expect(error.attempts).toHaveLength(1);
});
