import { existsSync } from "node:fs";
import { join } from "node:path";
import { signedRequest } from "@fieldmesh/webhook-types";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { UsageError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { fakeSandbox } from "../testing/fake-sandbox.ts";
import { run as record } from "./record.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";

/** Long enough for a busy machine. */
const PATIENCE = { timeout: 20_000 };
const SECRET = canaries.webhookSecret;
let folder: string;
let out: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  out = join(folder, "deliveries.ndjson");
});

const contextOf = () => testContext({ env: { FIELDMESH_WEBHOOK_SECRET: SECRET } });
const input = (options: Record<string, string> = {}) => ({
  arguments: [],
  options: { port: "0", out, ...options },
});

async function start(options: Record<string, string> = {}) {
  const context = contextOf();
  const ended = record(context, input(options));
  ended.catch(() => {});
  const hasStarted = () => expect(context.notes.join()).toContain("Ctrl-C");
  // An error of the command is that of the test.
  await Promise.race([ended, vi.waitFor(hasStarted, PATIENCE)]);
  const url = context.notes[0]!.replace("Recorder  ", "");
  return { context, ended, url };
}

test("the notes say where the recorder and its file are, and at the end how to replay it", async () => {
  const { context, ended, url } = await start();
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
  const { context, ended } = await start({ out: hostile });
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
  const { context, ended, url } = await start({ forwardTo: `${receiver.url}?token=canary` });
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
  await expect(record(contextOf(), input(options))).rejects.toThrow(new UsageError(message));
  expect(existsSync(out)).toBe(false);
});
