// Keys are piped or typed, and a signal arrives before the input ends.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runInTerminal } from "./terminal.ts";
import { type ProgramUser, startUser } from "./user.ts";

let user: ProgramUser;
beforeAll(async () => {
  user = await startUser();
});
afterAll(() => user.close());

const KEYS =
  "dev_eui,app_eui,app_key\n0004A30B00000001,70B3D57ED0010001,C0FFEE00112233445566778899AABBCC\n";
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type SignalName = keyof typeof SIGNALS;

const READERS: Readonly<Record<string, string>> = {
  "an import": "devices import - --yes",
  "an import of a stream": "devices import /dev/stdin --yes",
  "an import of a named pipe": "devices import PIPE --yes",
  "the accounts of a named pipe":
    "ledger export rewards --partition day --min-time -1day --out rewards --accounts PIPE",
  "an input": "mapper ingest --input -",
  "an input of a named pipe": "mapper ingest --input PIPE",
  "a key": "profile set x console --url https://console.example.com --key-stdin",
};
const CASES = Object.entries(READERS).flatMap(([what, line]) =>
  (Object.keys(SIGNALS) as SignalName[]).map((signal) => [what, signal, line] as const),
);

/** Starts a program whose input stays open after the keys. */
async function start(line: string) {
  const pipe = join(user.folder, `pipe-${Math.random()}`);
  const isNamed = line.includes("PIPE");
  if (isNamed) execFileSync("mkfifo", [pipe]);
  const words = line.replace("PIPE", pipe).split(" ");
  const child = spawn(process.execPath, [user.program.file, ...words], {
    cwd: user.folder,
    env: { ...user.env, TMPDIR: user.temporary },
  });
  const input: Writable = isNamed ? createWriteStream(pipe) : child.stdin;
  input.on("error", () => undefined);
  input.write(KEYS);
  return { child, input };
}

/** Waits until the program has a listener for a hangup, which Node has not, and then for it to read. */
async function isListening(pid = 0): Promise<void> {
  const caught = () => /^SigCgt:.*(\w)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  await vi.waitFor(() => expect(Number(`0x${caught()}`) & 1).toBe(1), { timeout: 30_000 });
  await sleep(300);
}

test.for(CASES)(
  "%s from a pipe that stays open ends at once at %s, and leaves no key",
  async ([, signal, line]) => {
    const before = readdirSync(user.folder).filter((name) => !name.startsWith("pipe-"));
    const { child, input } = await start(line);
    const printed = text(child.stderr);
    await isListening(child.pid);
    const ended = once(child, "exit");
    const sent = performance.now();
    child.kill(signal);
    const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
    const [code, killedBy] = (await ended) as [number | null, string | null];
    clearTimeout(late);
    input.destroy();
    expect({ code, killedBy, isAtOnce: performance.now() - sent < 3_000 }).toEqual({
      code: SIGNALS[signal],
      killedBy: null,
      isAtOnce: true,
    });
    expect(await printed).not.toContain("C0FFEE");
    expect(readdirSync(user.temporary)).toEqual([]);
    expect(readdirSync(user.folder).filter((name) => !name.startsWith("pipe-"))).toEqual(before);
  },
);

test.for(Object.keys(SIGNALS) as SignalName[])(
  "a terminal echoes again after %s at a question for a secret",
  async (signal) => {
    const { code, isEchoed } = await runInTerminal(
      [
        process.execPath,
        user.program.file,
        "profile",
        "set",
        "x",
        "console",
        "--url",
        "https://c.example",
      ],
      [["Key of the console", signal]],
      { ...user.env, TMPDIR: user.temporary },
    );
    expect({ code, isEchoed }).toEqual({ code: SIGNALS[signal], isEchoed: true });
  },
);

test.for(["\u0003", ...Object.keys(SIGNALS)])(
  "keys that are typed at a terminal are left nowhere after %j",
  async (typed) => {
    const { code, isEchoed } = await runInTerminal(
      [
        "sh",
        "-c",
        `echo ready; exec ${process.execPath} ${user.program.file} devices import - --yes`,
      ],
      [
        ["ready", KEYS.replaceAll("\n", "\r")],
        ["AABBCC", "WAIT"],
        ["AABBCC", typed],
      ],
      { ...user.env, TMPDIR: user.temporary },
    );
    expect({ code, isEchoed }).toEqual({
      code: SIGNALS[typed as SignalName] ?? 130,
      isEchoed: true,
    });
    expect(readdirSync(user.temporary)).toEqual([]);
  },
);
