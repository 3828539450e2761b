import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "@fieldmesh/core";
import { expect, test } from "vitest";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { serveLocal, serveReceiver } from "../testing/fake-sandbox.ts";
import { post } from "./send-request.ts";
import { run } from "./send.ts";

const SECRET = canaries.webhookSecret;
const withSecret = { env: { FIELDMESH_WEBHOOK_SECRET: SECRET } };
const input = (type: string, options: Record<string, string | boolean>) => ({
  arguments: [type],
  options,
});

test("an event is sent with the given data, including exact integers", async () => {
  await using receiver = await serveReceiver(SECRET);
  const context = testContext(withSecret);
  const data = '{"object":{"id":"sim_7","count":12345678901234567890}}';
  await run(context, input("sim.activated", { to: receiver.url, data }));
  expect(receiver.events).toMatchObject([
    { type: "sim.activated", data: { object: { id: "sim_7", count: 12345678901234567890n } } },
  ]);
  expect(context.lines).toEqual([
    expect.stringMatching(/^sim\.activated {2}evt_\w+ {2}responded 200 handled$/),
  ]);
  expect(context.notes).toEqual([`Receiver  ${receiver.url}`]);
});

test("the query of an address is sent but not printed", async () => {
  const paths: (string | undefined)[] = [];
  await using server = await serveLocal((request, response) => {
    paths.push(request.url);
    response.end();
  });
  for (const isJson of [false, true]) {
    const context = testContext({ ...withSecret, isJson });
    await run(context, input("sim.activated", { to: `${server.url}?token=canary` }));
    expect([...context.lines, ...context.notes].join()).not.toContain("canary");
  }
  expect(paths).toEqual(["/hooks?token=canary", "/hooks?token=canary"]);
});

test("the JSON result contains the address, and two events have different ids", async () => {
  await using receiver = await serveReceiver(SECRET);
  const context = testContext({ ...withSecret, isJson: true });
  for (let n = 0; n < 2; n += 1) await run(context, input("plan.created", { to: receiver.url }));
  const results = context.lines.map((line) => JSON.parse(line) as { id: string });
  expect(results).toMatchObject(
    [1, 2].map(() => ({
      type: "plan.created",
      url: receiver.url,
      status: 200,
      outcome: "handled",
    })),
  );
  expect(new Set(results.map(({ id }) => id)).size).toBe(2);
});

test("the JSON result has null for the outcome of another receiver, and whether it accepted", async () => {
  for (const [status, accepted] of [
    [204, true],
    [500, false],
  ] as const) {
    await using server = await serveLocal((_request, response) => {
      response.writeHead(status).end();
    });
    const context = testContext({ ...withSecret, isJson: true });
    const sending = run(context, input("sim.activated", { to: server.url }));
    expect(await sending.catch((error: unknown) => (error as Error).message)).toBe(
      accepted ? undefined : "The receiver did not accept the event.",
    );
    expect(JSON.parse(context.lines[0]!)).toEqual({
      id: expect.stringMatching(/^evt_\w+$/) as string,
      type: "sim.activated",
      url: server.url,
      status,
      outcome: null,
      accepted,
    });
  }
});

test("the secret is read from a file, without its trailing line break, or from a prompt", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-send-"));
  const secretFile = join(folder, "secret.txt");
  writeFileSync(secretFile, "whsec_of_a_file\n");
  await using receiver = await serveReceiver("whsec_of_a_file");
  const options = { to: receiver.url };
  chmodSync(secretFile, 0o644);
  const context = testContext();
  await run(context, input("sim.activated", { ...options, secretFile }));
  if (process.platform !== "win32")
    expect(context.notes).toContain(
      `Warning: other users can open ${secretFile}, which holds a secret. Run chmod 600 on it.`,
    );
  await run(testContext({ reply: "whsec_of_a_file" }), input("sim.activated", options));
  expect(receiver.outcomes).toEqual(["handled", "handled"]);
  await expect(
    run(testContext(), input("sim.activated", { ...options, secretFile: join(folder, "none") })),
  ).rejects.toThrow("does not exist: --secret-file needs the name of a file.");
  rmSync(folder, { recursive: true });
});

test("send fails if the event is not accepted, and the error does not contain the secret", async () => {
  await using receiver = await serveReceiver("whsec_another");
  const context = testContext(withSecret);
  await expect(run(context, input("sim.activated", { to: receiver.url }))).rejects.toThrow(
    new CommandError("The receiver did not accept the event."),
  );
  expect(context.lines).toEqual([expect.stringMatching(/responded 401 not_verified$/)]);
});

test("a type that is not in the catalog is rejected, unless the user insists", async () => {
  await using receiver = await serveReceiver(SECRET);
  const to = receiver.url;
  const context = testContext(withSecret);
  await expect(run(context, input("sim.activatd", { to }))).rejects.toThrow(
    new UsageError(
      'There is no event type of this name. Did you mean "sim.activated"? Add --unknown to send it anyway.',
    ),
  );
  await expect(run(context, input("zzz", { to }))).rejects.toThrow("`events --types` lists them.");
  await run(context, input("sim.teleported", { to, unknown: true, data: '{"object":{"a":1}}' }));
  expect(receiver.events).toMatchObject([{ type: "sim.teleported", data: { object: { a: 1 } } }]);
});

test.each([
  [{ to: "http://example.com" }, "this machine"],
  [{ to: "ftp://127.0.0.1" }, "--to needs an address"],
  [{ to: "http://user:canary@127.0.0.1:1" }, "without a user name or password"],
  [{ data: '["canary"]' }, "--data needs a JSON object"],
  [{ data: "{canary" }, "--data needs a JSON object"],
  [{ data: '{"object":"canary"}' }, "--data does not match the type"],
])("%j is rejected before a request is sent, and is not quoted", async (options, sentence) => {
  const sending = run(
    testContext(withSecret),
    input("sim.activated", { to: "http://127.0.0.1:1", ...options }),
  );
  await expect(sending).rejects.toThrow(sentence);
  await expect(sending).rejects.toBeInstanceOf(UsageError);
  await expect(sending).rejects.not.toThrow("canary");
});

test("ends if a receiver does not respond, or never ends its response", async () => {
  let written = 0;
  await using server = await serveLocal((request, response) => {
    if (request.url === "/hangs") return;
    response.writeHead(200);
    const chunk = Buffer.alloc(2 ** 14, "x");
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
    };
    response.on("drain", more);
    more();
  });
  const { signal } = testContext();
  const target = (path: string) => ({
    url: new URL(path, server.url),
    secret: new Secret(SECRET),
    signal,
  });
  await expect(post({ id: "evt_1" }, { ...target("/hangs"), within: 100 })).rejects.toThrow(
    /^No response from http:\/\/127\.0\.0\.1:\d+ within 0\.1 s\.$/,
  );
  expect(await post({ id: "evt_1" }, target("/endless"))).toEqual({
    status: 200,
    outcome: "",
    isAccepted: true,
  });
  expect(written).toBeLessThan(2 ** 25);
});

test("does not follow a redirect, and does not print the response of another program", async () => {
  await using server = await serveLocal((_request, response) => {
    response.writeHead(302, { location: "http://127.0.0.1:1/" }).end("\u001B[2J");
  });
  const context = testContext(withSecret);
  await expect(run(context, input("sim.activated", { to: server.url }))).rejects.toThrow(
    "did not accept",
  );
  expect(context.lines).toEqual([expect.stringMatching(/responded 302$/)]);
});
