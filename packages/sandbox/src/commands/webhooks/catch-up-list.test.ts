import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMobileClient } from "@fieldmesh/mobile-client";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { testContext } from "../testing/context.ts";
import { fakeSandbox, serveLocal } from "../testing/fake-sandbox.ts";
import { run } from "./catch-up.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";

// What catch-up prints and throws for lists that a sandbox does not have.

const TWICE = "Run the same command again";
const RESPONSE = "POST /hooks";
const ACCEPTED = { [RESPONSE]: { status: 200, text: "" } };
let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  file = join(folder, "place.json");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 21) });
});
afterEach(() => void vi.useRealTimers());

const event = (id: string, hour = 1, type = "sim.teleported") => ({
  id,
  type,
  created_at: new Date(Date.UTC(2026, 10, 20, hour)).toISOString(),
  livemode: true,
  data: { object: {} },
  idempotency_key: `idem_of_${id}`,
});

/** A mobile service with these pages of events. Its cursors are their numbers after a prefix. */
function service(...pages: unknown[][]) {
  const state = { pages, prefix: "c" };
  const client = createMobileClient({
    baseUrl: "https://mobile.test",
    apiKey: canaries.mobileKey,
    retry: false,
    onDrift: () => undefined,
    fetch: async (url) => {
      const cursor = new URL(url).searchParams.get("cursor");
      if (cursor?.startsWith(state.prefix) === false)
        return Response.json({ code: "invalid_cursor" }, { status: 400 });
      const at = Number(cursor?.slice(1) ?? 0);
      const next = at + 1 < state.pages.length ? { cursor: `${state.prefix}${at + 1}` } : {};
      return Response.json({ data: state.pages[at], ...next });
    },
  });
  return Object.assign(state, { client });
}

type Client = ReturnType<typeof service>["client"];
const contextOf = (client: Client, isJson = false) =>
  testContext({ env: { FIELDMESH_WEBHOOK_SECRET: canaries.webhookSecret }, client, isJson });

async function catchUp(
  context: ReturnType<typeof testContext>,
  to: string,
  more: object = {},
): Promise<unknown> {
  const options = { to, since: "2026-11-20", ...more };
  return run(context, { arguments: [], options }).catch((error: unknown) => error);
}

test("each event is a line, and one without an id or type is left open", async () => {
  const { client } = service([event("evt_1"), { created_at: event("x").created_at }, null]);
  await using receiver = await fakeSandbox(ACCEPTED);
  const [context, asJson] = [contextOf(client), contextOf(client, true)];
  const left = new CommandError(
    `2 events were not accepted. ${TWICE}: a receiver with a store skips the others.`,
  );
  expect(await catchUp(context, `${receiver.url}?token=canary`)).toEqual(left);
  expect(context.lines).toEqual([
    "sim.teleported  evt_1  accepted",
    expect.stringMatching(/^ {2}item_\w+ {2}not_parsed$/),
    expect.stringMatching(/^ {2}item_\w+ {2}not_parsed$/),
  ]);
  expect(context.notes).toEqual([`Receiver  ${receiver.url}`, "1 accepted, 2 left open."]);
  expect(await catchUp(asJson, receiver.url)).toEqual(left);
  expect(asJson.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { id: "evt_1", type: "sim.teleported", outcome: "accepted" },
    { id: expect.stringMatching(/^item_/), type: "", outcome: "not_parsed" },
    { id: expect.stringMatching(/^item_/), type: "", outcome: "not_parsed" },
  ]);
});

test("events before --since are left out, and that time itself is not", async () => {
  const { client } = service([event("evt_0", 1), event("evt_1", 2), event("evt_2", 3)]);
  await using receiver = await fakeSandbox(ACCEPTED);
  const context = contextOf(client);
  expect(await catchUp(context, receiver.url, { since: "2026-11-20T02:00:00Z" })).toBeUndefined();
  expect(context.lines).toEqual([
    "sim.teleported  evt_1  accepted",
    "sim.teleported  evt_2  accepted",
  ]);
});

test("a code waits for its delivery, and the options say for which types and how long", async () => {
  const { client } = service([
    event("evt_1", 1, "cpni.verification.requested"),
    event("evt_2", 2, "sim.activated"),
    event("evt_3", 3, "sim.swapped"),
  ]);
  await using receiver = await fakeSandbox(ACCEPTED);
  const runWith = async (more: object) => {
    const context = contextOf(client);
    expect(await catchUp(context, receiver.url, { checkpoint: file, ...more })).toBeUndefined();
    return [...context.lines, ...context.notes.slice(1)];
  };
  expect(await runWith({ deliveryOnly: ["sim.activated"] })).toEqual([
    "cpni.verification.requested  evt_1  waiting",
    "sim.activated  evt_2  waiting",
    "sim.swapped  evt_3  accepted",
    "1 accepted, 0 left open, 2 waiting for their delivery.",
  ]);
  vi.setSystemTime(Date.UTC(2026, 10, 22));
  expect(await runWith({ deliveryOnly: ["sim.activated"], deliveriesEnd: "47" })).toContain(
    "cpni.verification.requested  evt_1  accepted",
  );
});

test("what stays open is named in each run, and what is given up in one", async () => {
  const broken = { ...event("evt_1"), data: null };
  const pages = [[broken, event("evt_2", 2)], [event("evt_3", 3)]];
  const { client } = service(...pages);
  await using receiver = await fakeSandbox(ACCEPTED);
  const runAt = async (day: number) => {
    vi.setSystemTime(Date.UTC(2026, 10, day));
    const context = contextOf(client);
    const error = await catchUp(context, receiver.url, { checkpoint: file });
    return { exitCode: (error as CommandError | undefined)?.exitCode, notes: context.notes.join() };
  };
  const STILL = "Still open  sim.teleported  evt_1  not_parsed";
  expect(await runAt(21)).toEqual({ exitCode: 1, notes: expect.not.stringContaining(STILL) });
  expect(await runAt(22)).toEqual({ exitCode: 1, notes: expect.stringContaining(STILL) });
  expect(await runAt(24)).toEqual({ exitCode: 1, notes: expect.stringContaining("1 given up") });
  expect(await runAt(25)).toMatchObject({ exitCode: undefined });
});

test("a list without order is sent again for as long as a receiver remembers", async () => {
  const { client, pages } = service([event("evt_1", 1), event("evt_2", 3), event("evt_3", 2)]);
  await using receiver = await fakeSandbox(ACCEPTED);
  const notes = async () => {
    const context = contextOf(client);
    expect(await catchUp(context, receiver.url, { checkpoint: file })).toBeUndefined();
    return context.notes.at(-1);
  };
  expect(await notes()).toBe("3 accepted, 0 left open.");
  vi.setSystemTime(Date.UTC(2026, 11, 1));
  pages[0]!.push(event("evt_4", 24));
  expect(await notes()).toBe("1 accepted, 0 left open.");
});

test("--since without a zone is UTC", async () => {
  vi.stubEnv("TZ", "America/Los_Angeles");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { client } = service([event("evt_1", 1), event("evt_2", 2)]);
  await using receiver = await fakeSandbox(ACCEPTED);
  const context = contextOf(client);
  await catchUp(context, receiver.url, { since: "2026-11-20T02:00:00" });
  expect(context.lines).toEqual(["sim.teleported  evt_2  accepted"]);
});

test("a second run that reads the whole list says why", async () => {
  await using receiver = await fakeSandbox(ACCEPTED);
  const options = { checkpoint: file };
  const mixed = service([event("evt_1", 1), event("evt_2", 3), event("evt_3", 2)]);
  const notes = async (client: Client): Promise<string[]> => {
    const context = contextOf(client);
    expect(await catchUp(context, receiver.url, options)).toBeUndefined();
    return context.notes.slice(1);
  };
  expect(await notes(mixed.client)).toEqual(["3 accepted, 0 left open."]);
  expect(await notes(mixed.client)).toEqual([
    "Read the whole list: its events are in no order.",
    "3 accepted, 0 left open.",
  ]);
  rmSync(file);
  const paged = service([event("evt_1", 1), event("evt_2", 2)], [event("evt_3", 3)]);
  expect(await notes(paged.client)).toEqual(["3 accepted, 0 left open."]);
  expect(await notes(paged.client)).toEqual(["1 accepted, 0 left open."]);
  paged.prefix = "d";
  expect(await notes(paged.client)).toEqual([
    "Read the whole list: the service has rejected the cursor of the last run.",
    "3 accepted, 0 left open.",
  ]);
});

test("the place of another service is a usage error that says what to choose", async () => {
  await using receiver = await fakeSandbox(ACCEPTED);
  const { client } = service([event("evt_1")]);
  await catchUp(contextOf(client), receiver.url, { checkpoint: file });
  const other = createMobileClient({
    baseUrl: "https://other.test",
    apiKey: canaries.mobileKey,
    fetch: async () => Response.json({ data: [] }),
  });
  const error = await catchUp(contextOf(other), receiver.url, { checkpoint: file });
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).toMatch(
    /^\S+place\.json belongs to another server.*[^.]\. Choose another --checkpoint for each service\.$/,
  );
});

test("a place that can no longer be written is an error, and the lock is removed", async () => {
  const { client } = service([event("evt_1")]);
  const checkpoint = join(folder, "place.json");
  await using receiver = await serveLocal((_request, response) => {
    mkdirSync(checkpoint);
    response.end();
  });
  const error = await catchUp(contextOf(client), receiver.url, { checkpoint });
  expect(error).toMatchObject({ exitCode: 1 });
  expect((error as Error).message).toContain("place.json cannot be written (EISDIR). Free some");
  expect(existsSync(`${checkpoint}.lock`)).toBe(false);
});

const PERSONAL =
  "--to needs an address of this machine or one with https, because real events contain personal data.";

test.each<[Record<string, string | undefined>, string]>([
  [{ to: undefined }, "--to needs an address such as http://127.0.0.1:3000/hooks."],
  [{ to: "http://example.com/hooks" }, PERSONAL],
  [{ since: undefined }, "--since needs a time, such as 2026-11-20T08:30:00Z."],
  [{ since: "yesterday" }, "--since needs a time, such as 2026-11-20T08:30:00Z."],
  [
    { checkpoint: "/missing-folder/place.json" },
    "The file cannot be written (ENOENT): --checkpoint needs a file in a folder that exists and that you can write to.",
  ],
])("%j is rejected before a secret is read", async (given, message) => {
  const options = { to: "http://127.0.0.1:1/", since: "2026-11-20", ...given };
  await expect(run(testContext(), { arguments: [], options })).rejects.toThrow(
    new UsageError(message),
  );
});
