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

test.for([
  ["ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC", "unknown"],
  ["ERR_SSL_UNEXPECTED_EOF_WHILE_READING", "unknown"],
  ["EPROTO", "unknown"],
  ["UND_ERR_SOCKET", "unknown"],
  ["ETIMEDOUT", "unknown"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "not_sent"],
  ["ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", "not_sent"],
  ["CERT_HAS_EXPIRED", "not_sent"],
  ["ENETUNREACH", "not_sent"],
  ["UND_ERR_CONNECT_TIMEOUT", "not_sent"],
] as const)(
  "%s has the outcome %s: only an error before a request can be sent is not_sent",
  async ([code, outcome]) => {
    const cause = Object.assign(new Error("canary text"), { code });
    const fetch: FetchFunction = () => Promise.reject(new TypeError("fetch failed", { cause }));
    const error = await errorOf<ConnectionError>(createThings({ fetch, retry: false }).list());
    expect(error).toMatchObject({ code, outcome });
    expect(error.message).not.toContain("canary");
  },
);

test.for<[string, () => unknown]>([
  ["the message of an error", () => new Error("connect: Connection refused")],
  ["the message of a TypeError", () => new TypeError("fetch failed: tcp connect error")],
  [
    "the message of a cause",
    () => new TypeError("fetch failed", { cause: new Error("dns error") }),
  ],
  ["the message of a TLS error", () => new Error("hung up before secure TLS connection")],
  ["an object that is not an error", () => ({ code: "ECONNREFUSED", syscall: "connect" })],
  ["a cause that is not an error", () => new Error("no", { cause: { code: "ENOTFOUND" } })],
  ["a string", () => "ECONNREFUSED"],
])("%s does not prove that nothing was sent, so a POST is not retried", async ([, makeError]) => {
  let requests = 0;
  const fetch: FetchFunction = () => {
    requests++;
    throw makeError();
  };
  const error = await errorOf<ConnectionError>(createThings({ fetch }).create({ name: "one" }));
  expect(error).toMatchObject({ name: "ConnectionError", outcome: "unknown" });
  expect(requests).toBe(1);
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

test("a call to a host with several addresses is not_sent only if no address was reached", async () => {
  const address = (code: string, syscall: string): Error =>
    Object.assign(new Error("no"), { code, syscall });
  const outcomeOf = async (...errors: Error[]): Promise<string> => {
    const cause = Object.assign(new AggregateError(errors), { code: "ETIMEDOUT" });
    const fetch: FetchFunction = () => Promise.reject(new TypeError("fetch failed", { cause }));
    const things = createThings({ fetch, retry: false });
    return (await errorOf<ConnectionError>(things.list())).outcome;
  };
  const unreachable = address("ECONNREFUSED", "connect");
  expect(await outcomeOf(unreachable, address("ETIMEDOUT", "connect"))).toBe("not_sent");
  expect(await outcomeOf(unreachable, address("ETIMEDOUT", "read"))).toBe("unknown");
});

test("a call to a port that fetch blocks is not retried", async () => {
  const error = await errorOf<ConnectionError>(
    createThings({ baseUrl: "http://127.0.0.1:1" }).create({ name: "one" }),
  );
  expect(error.outcome).toBe("not_sent");
  expect(error.attempts).toHaveLength(1);
});

test("a redirect with a user name is rejected", async () => {
  await using server = await startHttp(({ headers }, response) =>
    response.writeHead(302, { location: `http://canary@${headers.host}/v1/other` }).end(),
  );
  const things = createThings({ baseUrl: server.baseUrl, retry: false });
  expect(await errorOf(things.list())).toMatchObject({ status: 302 });
  expect(server.received).toHaveLength(1);
});
