import { readFileSync, statSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { signedRequest } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { serveLocal, serveReceiver, fakeSandbox } from "../testing/fake-sandbox.ts";
import { run as record } from "./record.ts";
import { run as replay } from "./replay.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";
import { openRecording, readRecording } from "./recording.ts";

/** Long enough for a busy machine. */
const PATIENCE = { timeout: 20_000 };

const SECRET = canaries.webhookSecret;
const env = { FIELDMESH_WEBHOOK_SECRET: SECRET };
let folder: string;
let out: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  out = join(folder, "deliveries.ndjson");
});

/** Starts the recorder. Returns its address, and a promise that resolves when it has ended. */
async function startRecording(
  options: Record<string, string> = {},
  context = testContext({ env }),
) {
  const ended = record(context, { arguments: [], options: { port: "0", out, ...options } });
  ended.catch(() => {});
  await vi.waitFor(() => expect(context.notes.join()).toContain("Ctrl-C"), PATIENCE);
  const url = context.notes[0]!.replace(/^Recorder {2}/, "");
  const deliver = async (event: object, secret = SECRET) =>
    (await fetch(await signedRequest(event, { url, secret }))).status;
  const stop = async (): Promise<void> => {
    context.interrupt();
    await ended;
  };
  return { context, url, deliver, ended, stop };
}

// Values that no file and no terminal may contain: a code, an activation code, and personal data.
const code = sampleEvent("cpni.verification.requested", {
  id: "evt_code",
  data: { object: { code: "739104" } },
});
const install = sampleEvent("sim.activated", {
  id: "evt_install",
  data: { object: { activation_code: "LPA:1$smdp.example$SECRETMATCH", msisdn: "+15550004242" } },
});
const order = sampleEvent("psim_order.created", {
  id: "evt_order",
  data: { object: { email: "ada.lovelace@example.org" } },
});
const HIDDEN = /739104|LPA:|SECRETMATCH|5550004242|lovelace|whsec_/i;

test("deliveries are verified, forwarded unchanged, and stored without codes and personal data", async () => {
  await using receiver = await serveReceiver(SECRET);
  const { context, deliver, stop } = await startRecording({ forwardTo: receiver.url });
  for (const event of [code, install, order]) expect(await deliver(event)).toBe(200);
  await stop();
  expect(receiver.outcomes).toEqual(["handled", "handled", "handled"]);
  const [received] = receiver.events as (typeof code)[];
  expect(received!.data.object.code?.reveal()).toBe("739104");

  const stored = readFileSync(out, "utf8");
  expect(
    stored
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { event: { id: "evt_code", data: { object: { code: "[redacted]" } } } },
    { event: { id: "evt_install", data: { object: { state: "active" } } } },
    { event: { id: "evt_order" } },
  ]);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect(context.lines).toHaveLength(3);
  expect([stored, ...context.lines, ...context.notes].join("\n")).not.toMatch(HIDDEN);
  expect(context.notes.at(-1)).toContain(`replay --from ${out} --to`);
});

test("JSON output is redacted too", async () => {
  const { context, deliver, stop } = await startRecording({}, testContext({ env, isJson: true }));
  for (const event of [code, install, order]) expect(await deliver(event)).toBe(200);
  await stop();
  expect(context.lines.map((line) => JSON.parse(line))).toMatchObject([
    { status: 200, event: { id: "evt_code" } },
    { status: 200, event: { id: "evt_install" } },
    { status: 200, event: { id: "evt_order" } },
  ]);
  expect(context.lines.join("\n")).not.toMatch(HIDDEN);
});

test("an unverified delivery is rejected, and neither stored nor forwarded", async () => {
  await using receiver = await serveReceiver(SECRET);
  const { context, deliver, stop } = await startRecording({ forwardTo: receiver.url });
  expect(await deliver(code, "whsec_of_another")).toBe(401);
  await stop();
  expect(receiver.outcomes).toEqual([]);
  expect(readFileSync(out, "utf8")).toBe("");
  expect(context.lines).toEqual([
    expect.stringContaining("not verified: signature_mismatch  responded 401"),
  ]);
});

test("Ctrl-C ends the recorder after the response to a delivery in progress", async () => {
  let respond = (): void => {};
  await using slow = await serveLocal((_request, response) => {
    respond = () => void response.writeHead(202).end();
  });
  const { context, deliver, stop } = await startRecording({ forwardTo: slow.url });
  const delivered = deliver(order);
  await vi.waitFor(() => expect(readFileSync(out, "utf8")).toContain("evt_order"), PATIENCE);
  const stopped = stop();
  setTimeout(() => respond(), 50);
  expect(await delivered).toBe(202);
  await stopped;
  expect(context.lines).toHaveLength(1);
});

test("an unknown type is stored with only its envelope", async () => {
  const { deliver, stop } = await startRecording();
  const envelope = { id: "evt_new", created_at: "2026-11-20T08:30:00Z", livemode: true };
  await deliver({
    ...envelope,
    type: "sim.teleported",
    data: { object: { code: "739104", to: "lovelace" } },
    idempotency_key: "idem_1",
  });
  await stop();
  const stored = readFileSync(out, "utf8");
  expect(JSON.parse(stored)).toMatchObject({
    event: { ...envelope, type: "sim.teleported", data: "[redacted]" },
  });
  expect(stored).not.toMatch(HIDDEN);
});

test("the sender receives the status of the receiver, or 502 if it does not respond", async () => {
  await using refusing = await serveLocal((_request, response) => response.writeHead(503).end());
  const first = await startRecording({ forwardTo: refusing.url });
  expect(await first.deliver(order)).toBe(503);
  await first.stop();
  const second = await startRecording({ forwardTo: "http://127.0.0.1:1/" });
  expect(await second.deliver(order)).toBe(502);
  await second.stop();
  // Both are stored, once for each delivery.
  expect(readFileSync(out, "utf8").trim().split("\n")).toHaveLength(2);
});

test("appends to a recording, even if a killed process has cut it off", async () => {
  writeFileSync(out, '{"recorded_at":"2026-11-20T08:30:00Z","eve', { mode: 0o600 });
  const { deliver, stop } = await startRecording();
  await deliver(order);
  await stop();
  await using receiver = await serveReceiver(SECRET);
  const context = testContext({ env });
  await replay(context, { arguments: [], options: { from: out, to: receiver.url } });
  expect(receiver.events).toMatchObject([{ id: "evt_order" }]);
  expect(context.notes[0]).toContain("1 lines");
});

test.skipIf(process.platform !== "linux")(
  "a full disk ends the recorder, and its response asks the sender to retry",
  async () => {
    const { deliver, ended } = await startRecording({ out: "/dev/full" });
    expect(await deliver(order)).toBe(503);
    await expect(ended).rejects.toThrow(
      new CommandError("/dev/full cannot be written: is the disk full?"),
    );
  },
);

test("ends after the response to the sender if its output is no longer read", async () => {
  const context = testContext({ env });
  const closed = new Error("closed pipe");
  const output = { ...context.output, line: () => Promise.reject(closed) };
  const { deliver, ended } = await startRecording({}, { ...context, output });
  expect(await deliver(order)).toBe(200);
  await expect(ended).rejects.toBe(closed);
});

test("replay signs a recording again, and fills redacted values from samples", async () => {
  const { deliver, stop } = await startRecording();
  for (const event of [code, install, order]) await deliver(event);
  await stop();
  await using receiver = await serveReceiver("whsec_of_a_developer");
  const developer = { env: { FIELDMESH_WEBHOOK_SECRET: "whsec_of_a_developer" } };
  const context = testContext(developer);
  const options = { from: out, to: receiver.url };
  await replay(context, { arguments: [], options });
  expect(receiver.events.map(({ id }) => id)).toEqual(["evt_code", "evt_install", "evt_order"]);
  for (const event of receiver.events) expect(event.drift ?? []).toEqual([]);
  const [first] = receiver.events as (typeof code)[];
  expect(first!.data.object.code?.reveal()).toMatch(/^\d+$/);
  expect(context.lines[0]).toBe("cpni.verification.requested  evt_code  responded 200 handled");

  await replay(context, { arguments: ["evt_order"], options });
  expect(context.lines.at(-1)).toContain("evt_order  responded 200 duplicate");
  await replay(context, { arguments: ["evt_order"], options: { ...options, newIds: true } });
  expect(context.lines.at(-1)).toMatch(/evt_\w{32} {2}responded 200 handled$/);
  await expect(replay(testContext({ env }), { arguments: ["evt_order"], options })).rejects.toThrow(
    "1 of 1 deliveries were not accepted.",
  );
});

test("replay sends an unknown type with empty data", async () => {
  const { deliver, stop } = await startRecording();
  const { data: _, ...envelope } = order;
  await deliver({ ...envelope, type: "sim.teleported", data: { object: { a: 1 } } });
  await stop();
  await using receiver = await serveReceiver(SECRET);
  await replay(testContext({ env }), { arguments: [], options: { from: out, to: receiver.url } });
  expect(receiver.events).toMatchObject([{ type: "sim.teleported", data: { object: {} } }]);
});

test("record requires a valid secret and a free port", async () => {
  const input = { arguments: [], options: { port: "0", out } };
  await expect(record(testContext(), input)).rejects.toThrow("FIELDMESH_WEBHOOK_SECRET");
  await expect(record(testContext({ reply: "short" }), input)).rejects.toThrow(
    "The signing secret has fewer than 8 characters",
  );
  await using other = await serveLocal(() => {});
  const { port } = new URL(other.url);
  await expect(record(testContext({ env }), { ...input, options: { port, out } })).rejects.toThrow(
    new UsageError(`Port ${port} is in use. Choose another one; --port 0 is any free one.`),
  );
});

test.each([
  [{ from: "missing.ndjson" }, "The file cannot be read"],
  [{ from: import.meta.filename }, "has no delivery"],
  [{ from: "x", to: "http://example.com" }, "this machine"],
])("replay with %j is rejected with one sentence", async (options, sentence) => {
  const replaying = replay(testContext({ env }), {
    arguments: [],
    options: { to: "http://127.0.0.1:1", ...options },
  });
  await expect(replaying).rejects.toThrow(sentence);
});

test("the notes say where the recorder and its file are, and at the end how to replay it", async () => {
  const { context, ended, url } = await startRecording();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const notes = [
    `Recorder  ${url}`,
    "Receiver  none: every verified delivery is accepted",
    `File      ${out}`,
    "Point your tunnel at the recorder. Press Ctrl-C to stop it.",
  ];
  expect(context.notes).toEqual(notes);
  context.interrupt();
  await ended;
  expect(context.notes).toEqual([
    ...notes,
    `Send them again: fieldmesh-sandbox replay --from ${out} --to <url>`,
  ]);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("the command that replays a file runs nothing that its name contains", async () => {
  const hostile = join(folder, "a $(touch ran)';`touch ran`.ndjson");
  const { context, ended } = await startRecording({ out: hostile });
  context.interrupt();
  await ended;
  expect(context.notes.at(-1)).toBe(
    `Send them again: fieldmesh-sandbox replay --from '${folder}/a $(touch ran)'"'"';\`touch ran\`.ndjson' --to <url>`.replaceAll(
      "\\",
      "",
    ),
  );
});

test("a receiver is printed without its query, and a verified delivery is a line", async () => {
  await using receiver = await fakeSandbox({ "POST /hooks": { status: 202, text: "" } });
  const { context, ended, url } = await startRecording({
    forwardTo: `${receiver.url}?token=canary`,
  });
  expect(context.notes[1]).toBe(`Receiver  ${receiver.url}`);
  const text = JSON.stringify({ hello: 1 });
  expect((await fetch(await signedRequest(text, { url, secret: SECRET }))).status).toBe(202);
  context.interrupt();
  await ended;
  expect(context.lines).toEqual([
    expect.stringMatching(/^\S+Z {2}verified, but not an event {2}responded 202 {2}\d+ ms$/),
  ]);
  expect(receiver.requests).toMatchObject([{ body: text }]);
});

test.each([
  [{ port: "70000" }, "--port needs a whole number from 0 to 65535."],
  [
    { forwardTo: "http://example.com/hooks" },
    "--forward-to needs an address of this machine or one with https, because real events contain personal data.",
  ],
  [{ secretFile: "/missing" }, "The file does not exist: --secret-file needs the name of a file."],
])("%j is rejected before a file is created", async (options, message) => {
  const input = { arguments: [], options: { port: "0", out, ...options } };
  await expect(record(testContext({ env }), input)).rejects.toThrow(new UsageError(message));
  expect(existsSync(out)).toBe(false);
});

const event = (id: string) => sampleEvent("cpni.verification.requested", { id });
const line = (id: string) => `{"event":{"id":"${id}","type":"sim.activated"}}`;

async function recordAll(...ids: readonly string[]): Promise<void> {
  const recording = await openRecording(out);
  await Promise.all(ids.map((id) => recording.add(event(id))));
  await recording.close();
}

test.each([
  ["", 1],
  ["\n", 2],
  ["earlier\n", 2],
  ["earlier", 2],
  ["a\nb", 3],
])("a recording continues after %j in a line of its own", async (before, lines) => {
  writeFileSync(out, before, { mode: 0o600 });
  await recordAll("evt_1", "evt_2");
  const text = readFileSync(out, "utf8");
  expect(text.startsWith(before)).toBe(true);
  const all = text.split("\n");
  expect(all[lines - 1]).toMatch(/^\{.*"evt_1".*\}$/);
  expect(all[lines]).toMatch(/^\{.*"evt_2".*\}$/);
  expect(all.slice(lines + 1)).toEqual([""]);
});

test("a recording that cannot be opened or read is rejected with the option to change", async () => {
  await expect(openRecording(folder)).rejects.toThrow(
    new UsageError(`${folder} cannot be written. Choose another name for --out.`),
  );
  await expect(readRecording(out, testContext().signal)).rejects.toThrow(
    new UsageError(`The file cannot be read: --from needs the file of a recording.`),
  );
});

test.each([
  ["half a line", '{"recorded_at":"2026'],
  ["null", "null"],
  ["a list", "[1]"],
  ["a string", '"evt_1"'],
  ["no event", "{}"],
  ["null as its event", '{"event":null}'],
  ["a list as its event", '{"event":[]}'],
  ["no id", '{"event":{"type":"sim.activated"}}'],
  ["no type", '{"event":{"id":"evt_1"}}'],
  ["a number as its id", '{"event":{"id":1,"type":"sim.activated"}}'],
  ["a number as its type", '{"event":{"id":"evt_1","type":1}}'],
])("a line with %s is skipped and counted", async (_what, text) => {
  writeFileSync(out, `${line("evt_1")}\n${text}\n${line("evt_2")}\n`);
  const { deliveries, skipped } = await readRecording(out, testContext().signal);
  expect(deliveries.map((each) => each.event.id)).toEqual(["evt_1", "evt_2"]);
  expect(skipped).toBe(1);
});
