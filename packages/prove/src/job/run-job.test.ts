import { expect, test } from "vitest";
import { createMobileClient } from "@fieldmesh/mobile-client";
import { createSandbox } from "@fieldmesh/sandbox/engine";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { JobFault, JobFaultKind } from "./job-plan.ts";
import type { JobWorld } from "./job-world.ts";
import { runJob, type Job } from "./run-job.ts";
import { fleet } from "./testing/parts.ts";

const start = createSandbox({ seed: 1, console: { data: "empty", duplicates: "allowed" } });

/** Runs a job while these faults strike its calls, and shows what was printed. */
async function run<R>(job: Job<R>, ...faults: JobFault[]) {
  const lines: string[] = [];
  const done = await runJob(job, start, { faults }, (line) => lines.push(line));
  return { ...done, lines };
}

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await turnOfTheLoop();
}

const list = ({ baseUrl, apiKey, fetch }: JobWorld) =>
  fetch(`${baseUrl}/api/v1/devices?limit=1`, { headers: { key: apiKey } });
const GET = "  GET /console/api/v1/devices";

test("a job has the services of a fork, and its end shows what it has left", async () => {
  const job: Job<string> = async (world) => {
    const { status } = await list(world);
    await createMobileClient({ ...world.mobile, fetch: world.fetch })
      .events.list()
      .page();
    world.log(`saves after ${status}`);
    await world.checkpoint.save({ at: 1, none: undefined });
    return "report";
  };
  const { end, problem, calls, written, lines } = await run(job);
  expect(end).toMatchObject({
    report: "report",
    log: ["saves after 200"],
    checkpoint: { at: 1 },
    runs: 1,
  });
  expect(end?.checkpoint).not.toHaveProperty("none");
  expect(end?.sandbox).not.toBe(start);
  expect([problem, calls]).toEqual([undefined, ["read", "read", "save"]]);
  expect(written).toEqual([
    { where: "a line of the log", text: "saves after 200" },
    { where: "a checkpoint", text: '{"at":1}' },
    { where: "the report", text: "'report'\n\"report\"" },
  ]);
  expect(lines).toEqual([
    "run 1",
    GET,
    expect.stringMatching(/^ {2}GET \/\S+\/events$/),
    "  save the checkpoint",
  ]);
});

test.each<[JobFaultKind, string, unknown]>([
  ["killed before", "the process is killed before it", undefined],
  ["killed after", "the process is killed after it", { run: 1 }],
])("a save that is %s: a later run loads what was saved", async (kind, what, expected) => {
  const loaded: unknown[] = [];
  let runs = 0;
  const { lines, end, calls, written } = await run(
    async ({ checkpoint }) => {
      runs++;
      loaded.push(await checkpoint.load());
      await checkpoint.save({ run: runs });
    },
    { at: 0, kind },
  );
  const save = "  save the checkpoint";
  expect(lines).toEqual(["run 1", `${save}: ${what}`, "run 2", save]);
  expect(loaded).toEqual([undefined, expected]);
  expect(end).toMatchObject({ runs: 2, checkpoint: { run: 2 } });
  expect(calls).toEqual(["save", "save"]);
  expect(written.filter(({ where }) => where === "a checkpoint")).toHaveLength(expected ? 2 : 1);
});

const post = ({ baseUrl, apiKey, fetch }: JobWorld, signal?: AbortSignal) =>
  fetch(`${baseUrl}/api/v1/devices`, {
    method: "POST",
    headers: { key: apiKey, "content-type": "application/json" },
    body: JSON.stringify(fleet[0]),
    signal: signal ?? null,
  });
const count = async (world: JobWorld) =>
  ((await (await list(world)).json()) as readonly unknown[]).length;
const pauses: [string, (world: JobWorld) => Promise<unknown>][] = [
  ["the clock of the world", ({ clock }) => clock.sleep(60)],
  ["real time", () => new Promise((resolve) => void setTimeout(resolve, 80))],
];

test.each(pauses)("work during a kill is carried out in the next run, by %s", async (_, pause) => {
  const seen: number[] = [];
  let runs = 0;
  const { lines, end } = await run(
    async (world) => {
      if (++runs === 1) return post(world);
      seen.push(await count(world));
      await pause(world);
      return void seen.push(await count(world));
    },
    { at: 0, kind: "killed during" },
  );
  expect([seen, end?.runs]).toEqual([[0, 1], 2]);
  expect(lines[1]).toBe(
    "  POST /console/api/v1/devices: the process is killed during it, and it is carried out later",
  );
});

test.each([
  ["uses its signal for the request", true, [undefined, 0, 0]],
  ["uses its signal elsewhere", false, [201, 1, 1]],
])("a stop during the work aborts a job that %s", async (_, isPassed, expected) => {
  const seen: unknown[] = [];
  const { end, lines } = await run(
    async (world) => {
      const { signal } = world;
      if (seen.length === 0) {
        const { status } = await post(world, isPassed ? signal : undefined).catch(() => ({
          status: undefined,
        }));
        seen.push(status, await count(world));
        signal.throwIfAborted();
      }
      seen.push(await count(world));
    },
    { at: 0, kind: "stopped during" },
  );
  expect(seen).toEqual(expected);
  expect(end?.runs).toBe(2);
  expect(end?.sandbox.console.state.devices.size).toBe(1);
  expect(lines).toContain("  the run rejects: AbortError");
});

test("a stop does nothing to a job without a signal, and the work ends before the rules", async () => {
  const { lines, end } = await run((world) => post(world), { at: 0, kind: "stopped during" });
  expect([lines, end?.runs]).toEqual([["run 1", "  POST /console/api/v1/devices"], 1]);
  let runs = 0;
  const job: Job<unknown> = (world) => (++runs === 1 ? post(world) : undefined);
  const killed = await run(job, { at: 0, kind: "killed during" });
  expect(killed.end?.sandbox.console.state.devices.size).toBe(1);
});

test("a fault strikes the call with its number, counted over all runs", async () => {
  const { lines } = await run(
    async (world) => {
      await list(world);
      await world.checkpoint.save(1);
    },
    { at: 1, kind: "killed before" },
    { at: 2, kind: "killed before" },
  );
  expect(lines).toEqual([
    "run 1",
    GET,
    "  save the checkpoint: the process is killed before it",
    "run 2",
    `${GET}: the process is killed before it`,
    "run 3",
    GET,
    "  save the checkpoint",
  ]);
});

test("a save that is not awaited is lost if its process ends within 20 turns of the event loop", async () => {
  const saved: unknown[] = [];
  for (const turns of [15, 30]) {
    let runs = 0;
    const { end } = await run(
      async (world) => {
        // The second run lasts long enough to see a save that comes too late.
        if (++runs > 1) return pass(30);
        void world.checkpoint.save({ turns });
        await pass(turns);
        await list(world);
      },
      { at: 1, kind: "killed before" },
    );
    saved.push(end?.checkpoint);
  }
  expect(saved).toEqual([undefined, { turns: 30 }]);
});

test("a process that is over writes nothing to the log", async () => {
  let runs = 0;
  const { end, written } = await run(
    async (world) => {
      runs++;
      if (runs > 1) {
        await pass(10);
        return world.log("second");
      }
      world.log("first");
      const ended = list(world);
      await pass(5);
      world.log("late");
      await ended;
    },
    { at: 0, kind: "killed before" },
  );
  expect(end?.log).toEqual(["first", "second"]);
  expect(written.map(({ text }) => text)).not.toContain("late");
});

test("what survives is made once, even if it is undefined", async () => {
  let made = 0;
  const seen: unknown[] = [];
  await run(
    async (world) => {
      world.survives("none", () => void made++);
      seen.push(world.survives("set", () => seen.length));
      await world.checkpoint.save(1);
    },
    { at: 0, kind: "killed after" },
  );
  expect([made, seen]).toEqual([1, [0, 0]]);
});

test("a run that waits for nothing ends the job", async () => {
  const { end, problem, lines } = await run(async ({ clock }) => {
    await clock.sleep(8 * 86_400_000);
    await new Promise(() => {});
  });
  expect(end).toBeUndefined();
  expect(problem).toBe("run 1 makes no call, and does not end.");
  expect(lines).toEqual(["run 1"]);
});

const circular: Record<string, unknown> = {
  list: Array.from({ length: 200 }, (_, at) => `item ${at}.`),
};
circular["self"] = circular;
const nest = (depth: number): unknown => (depth === 0 ? "at the bottom" : { in: nest(depth - 1) });
test.each<[string, unknown, string]>([
  ["a string", "plain", "plain"],
  ["a value deep inside", nest(20), "at the bottom"],
  ["a value inside of an error", new Error("failed", { cause: { code: "E_FULL" } }), "E_FULL"],
  ["the last item of a list in a circle", circular, "item 199."],
  ["a value deep inside of a circle", { circular, nested: nest(8) }, "at the bottom"],
  ["what a value writes as JSON", { toJSON: () => "written" }, "written"],
  ["a value of a map", new Map([["key", "mapped"]]), "mapped"],
])("a report shows %s", async (_name, report, expected) => {
  const { written } = await run(() => report);
  expect(written).toHaveLength(1);
  expect(written[0]?.text).toContain(expected);
});
