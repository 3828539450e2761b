import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { status } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { exitCodes } from "../../src/exit-codes.ts";
import { toError } from "../../src/fleet/targets/chirpstack-client.ts";
import {
  createThingsStackClient,
  toTargetError,
} from "../../src/fleet/targets/things-stack-client.ts";

// Which errors end a run, and which concern one device.

const url = new URL("https://lns.example.com");
const RUN = "CliError";
const DEVICE = "RejectedError";

test.for<[code: keyof typeof status, said: string, name: string, message: string]>([
  ["UNAUTHENTICATED", "", "NoAccessError", "the key has no access to it"],
  ["UNAUTHENTICATED", "expired", RUN, "rejects the key: expired. Check the key."],
  ["PERMISSION_DENIED", "", "NoAccessError", "it is not there"],
  ["NOT_FOUND", "no such device", "NoAccessError", "no such device"],
  ["ALREADY_EXISTS", "object exists", "ExistsError", "object exists"],
  ["UNAVAILABLE", "no connection", RUN, "does not respond: no connection. Check the address"],
  ["UNIMPLEMENTED", "unknown", RUN, "does not respond: unknown. Check the address"],
  ["DEADLINE_EXCEEDED", "", RUN, "did not respond in time. Run the command again."],
  ["CANCELLED", "", RUN, "did not respond in time. Run the command again."],
  ["RESOURCE_EXHAUSTED", "", RUN, "did not respond in time. Run the command again."],
  ["INVALID_ARGUMENT", "name is too long", DEVICE, "name is too long"],
  ["INTERNAL", "", DEVICE, "INTERNAL"],
])("ChirpStack: %s (%j) is a %s", ([code, details, name, message]) => {
  const error = toError(
    Object.assign(new Error(), { code: status[code], details }) as never,
    url,
    [],
  );
  expect([error.constructor.name, error.message]).toEqual([name, expect.stringContaining(message)]);
});

/** Returns the error of a call to which a server responds so. */
async function errorOf(statusCode: number, body: string, secrets: readonly string[] = []) {
  const server = createServer((_request, response) => {
    response.writeHead(statusCode, { "content-type": "application/json", "retry-after": "0" });
    response.end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const there = new URL(`http://127.0.0.1:${port}`);
  const client = createThingsStackClient({ url: there, key: "NNSXS.key" });
  const list = client.list({ application_id: "water-meters", limit: 1, page: 1 }, { retry: false });
  const caught: unknown = await Promise.resolve(list).catch((error: unknown) => error);
  return toTargetError(caught, url, new AbortController().signal, secrets) as Error & {
    exitCode?: number;
  };
}

const said = (message: string) => JSON.stringify({ code: 3, message });

test.for<[statusCode: number, body: string, name: string, message: string, exitCode?: number]>([
  [401, said("error:pkg/auth:no_key (no such key)"), RUN, "rejects the key: no such key. Check"],
  [
    403,
    said("error:pkg/auth:no_rights (no rights)"),
    RUN,
    "does not allow the key to do this: no rights",
  ],
  [404, said("error:pkg/is:not_found (not found)"), DEVICE, "not found"],
  [409, said("the EUI is taken"), DEVICE, "the EUI is taken"],
  [400, "<html>", DEVICE, "it does not say why"],
  [400, "[]", DEVICE, "it does not say why"],
  [400, '{"message":7}', DEVICE, "it does not say why"],
  [
    429,
    said("slow down"),
    RUN,
    "failed with 429: slow down. Run the command again later.",
    exitCodes.failed,
  ],
  [503, said("maintenance"), RUN, "failed with 503: maintenance.", exitCodes.failed],
  [200, "<html>", RUN, "sent no usable response", exitCodes.failed],
])("The Things Stack: %i %s is a %s", async ([statusCode, body, name, message, exitCode]) => {
  const error = await errorOf(statusCode, body);
  expect([error.constructor.name, error.message]).toEqual([name, expect.stringContaining(message)]);
  if (exitCode !== undefined) expect(error.exitCode).toBe(exitCode);
});

test.for<string>(["API key", "AppKey", "AppKey in pairs", "AppKey in base64"])(
  "neither network server's message shows the %s of the call",
  async (which) => {
    const appKey = "C0FFEE00112233445566778899AABBCC";
    const secret =
      which === "API key"
        ? "NNSXS.key-of-9.x"
        : which === "AppKey"
          ? appKey.slice(0, 16)
          : which === "AppKey in pairs"
            ? (appKey.match(/../g) ?? []).join("-")
            : Buffer.from(appKey, "hex").toString("base64").slice(0, 16);
    const message = `the value ${secret} is not valid`;
    const secrets = ["NNSXS.key-of-9.x", appKey];
    for (const code of Object.values(status)) {
      if (typeof code !== "number") continue;
      const failure = Object.assign(new Error(), { code, details: message }) as never;
      expect(toError(failure, url, secrets).message).not.toContain(secret);
    }
    for (const statusCode of [400, 401, 403, 404, 409, 429, 503]) {
      const error = await errorOf(statusCode, JSON.stringify({ message }), secrets);
      expect(error.message).not.toContain(secret);
    }
  },
);

test("what a network server says is one line of 200 characters, without what a terminal obeys", async () => {
  const message = `\u001B]52;c;eA==\u0007${"long ".repeat(100)}\u202E`;
  for (const shown of [
    toError(
      Object.assign(new Error(), { code: status.INVALID_ARGUMENT, details: message }) as never,
      url,
      [],
    ),
    await errorOf(400, JSON.stringify({ message }), []),
  ]) {
    expect(shown.message.length).toBeLessThanOrEqual(200);
    expect(shown.message).not.toMatch(/\p{C}/u);
  }
});
