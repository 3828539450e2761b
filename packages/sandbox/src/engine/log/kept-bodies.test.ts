import { expect, test } from "vitest";
import { openConsole } from "../testing/console.ts";

const EMPTY = { console: { data: "empty" } } as const;
const labelOf = (length: number) => ({ name: "x".repeat(length - '{"name":""}'.length) });

test("beyond logBytes the oldest bodies are forgotten, their length stays, and the newest is kept", async () => {
  const { sandbox, send } = openConsole({ logBytes: 4_000 });
  for (let count = 0; count < 5; count++) await send("POST /api/v1/labels", labelOf(1_000));
  const kept = () => sandbox.log.requests().map(({ body }) => body?.length);
  // Down to half of the limit.
  expect(kept()).toEqual([undefined, undefined, undefined, 1_000, 1_000]);
  expect(sandbox.log.requests().map(({ bodyLength }) => bodyLength)).toEqual(
    Array.from({ length: 5 }, () => 1_000),
  );
  await send("POST /api/v1/labels", labelOf(9_000));
  expect(kept()).toEqual([undefined, undefined, undefined, undefined, undefined, 9_000]);
});

test("going back to a request whose predecessors lost their bodies says what to do", async () => {
  const { sandbox, send, client } = openConsole({ ...EMPTY, logBytes: 2_500 });
  for (let count = 0; count < 3; count++)
    await send("POST /api/v1/labels", { ...labelOf(1_000), name: `${count}${"x".repeat(1_000)}` });
  await client.labels.create({ name: "kept" });
  await client.labels.create({ name: "undone" });
  await expect(sandbox.stepBack(2)).rejects.toThrow(
    "The sandbox cannot go back to request 2: bodies of requests up to number 2 were forgotten. Start it with a larger logBytes.",
  );
  await sandbox.stepBack(5);
  const names = [...sandbox.console.state.labels.values()].map(({ name }) => name.slice(0, 4));
  expect(names.sort()).toEqual(["0xxx", "1xxx", "2xxx", "kept"]);
});

test("a body whose request still waits is not forgotten", async () => {
  const { sandbox, send } = openConsole({
    ...EMPTY,
    logBytes: 1_000,
    faults: [{ kind: "delay", ms: 100, on: "labels.create", skip: 0 }],
  });
  const slow = send("POST /api/v1/labels", labelOf(900));
  await send("POST /api/v1/nowhere", labelOf(900));
  await send("POST /api/v1/nowhere", labelOf(900));
  expect((await slow).status).toBe(201);
  expect(sandbox.console.state.labels.size).toBe(1);
});

test("of a request that was refused for its key, the first 1,024 characters are kept", async () => {
  const { sandbox, send } = openConsole();
  await send("POST /api/v1/labels", labelOf(5_000), { key: "wrong" });
  const [refused] = sandbox.log.requests();
  expect(refused).toMatchObject({ status: 401, bodyLength: 5_000 });
  expect(refused?.body).toBe(JSON.stringify(labelOf(5_000)).slice(0, 1_024));
});

test("a reset forgets what was counted", async () => {
  const { sandbox, send } = openConsole({ logBytes: 2_000 });
  await send("POST /api/v1/labels", labelOf(1_500));
  sandbox.reset();
  await send("POST /api/v1/labels", labelOf(1_500));
  await send("POST /api/v1/labels", labelOf(400));
  expect(sandbox.log.requests().map(({ body }) => body?.length)).toEqual([1_500, 400]);
});
