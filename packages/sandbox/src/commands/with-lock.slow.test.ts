import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";

const PROGRAM = join(import.meta.dirname, "testing/count-with-lock.ts");
/** In a namespace, the program is process 1, as in a container. */
const NAMESPACE = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];
const EXPIRES = "1500";
const WHOLE = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
const PATIENCE = { timeout: 20_000, interval: 5 };

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  file = join(folder, "place.json");
});

const isPermitted = spawnSync(NAMESPACE[0]!, [...NAMESPACE.slice(1), "true"]).status === 0;
const why = "this user may not create a process namespace";

function start(prefix: readonly string[], pause: number) {
  const [command, ...args] = [...prefix, process.execPath, PROGRAM, file, EXPIRES, `${pause}`];
  const child = spawn(command!, args, { stdio: ["ignore", "ignore", "pipe"] });
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, printed }));
  return { child, ended };
}

const listed = (): string[] =>
  existsSync(`${file}.list`) ? readFileSync(`${file}.list`, "utf8").trim().split("\n") : [];

/** Waits until the program has counted to a number. */
const counted = (to: number) => vi.waitUntil(() => listed().length >= to, PATIENCE);

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "close");
}

test("a container that is killed and restarted under the same process number waits and continues", async ({
  skip,
}) => {
  if (!isPermitted) skip(why);
  const { child } = start(NAMESPACE, 50);
  await counted(3);
  await kill(child);
  const before = listed().length;
  const { code, printed } = await start(NAMESPACE, 1).ended;
  expect(printed).toMatch(
    /^Process 1 on \S+ has been working on \S+ since \S+, but shows no sign of life\. .*\nDone as process 1\.\n$/,
  );
  expect(code).toBe(0);
  expect(before).toBeLessThan(WHOLE.length);
  // The kill may be between the state and the list.
  expect(new Set(listed()).size).toBe(listed().length);
  expect(listed().at(-1)).toBe("10");
  expect(readdirSync(folder).toSorted()).toEqual(["place.json", "place.json.list"]);
});

test("of two containers with one folder, the second ends with a message, and nothing is doubled", async ({
  skip,
}) => {
  if (!isPermitted) skip(why);
  const first = start(NAMESPACE, 200);
  await counted(1);
  const { code, printed } = await start(NAMESPACE, 1).ended;
  expect([code, printed]).toEqual([
    1,
    expect.stringMatching(
      /^Process 1 on \S+ has been working on \S+ since \S+: wait until it ends\./,
    ),
  ]);
  expect((await first.ended).code).toBe(0);
  expect(listed()).toEqual(WHOLE);
});

test("a process that was paused until another one took over stops before its next write", async () => {
  const paused = start([], 100);
  await counted(3);
  paused.child.kill("SIGSTOP");
  await sleep(100);
  const next = start([], 300);
  await counted(listed().length + 1);
  paused.child.kill("SIGCONT");
  const { code, printed } = await paused.ended;
  expect([code, printed]).toEqual([1, expect.stringMatching(/^Another process has taken over/)]);
  expect((await next.ended).code).toBe(0);
  expect(listed()).toEqual(WHOLE);
});
