import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./packages.ts";

const program = join(root, ".ci", "left-running");
const leftRunning = (mark: string, patience: number) =>
  spawnSync(program, [mark, String(patience)], { encoding: "utf8" });

test.skipIf(process.platform !== "linux")(
  "a process that a run has started and left running is named and ended, also a detached one",
  { timeout: 20_000 },
  async () => {
    const mark = `test-${process.pid}`;
    const env = { ...process.env, FIELDMESH_RUN: mark };
    // A shell that starts a program in a session of its own and ends, as a server that daemonizes does.
    const shell = spawn("setsid", ["sh", "-c", "sleep 300 & echo $!"], { env });
    const [line] = (await once(shell.stdout, "data")) as [Buffer];
    const pid = Number(String(line));
    await once(shell, "exit");

    expect(leftRunning("another-mark", 1)).toMatchObject({ status: 0, stdout: "" });
    const { status, stdout } = leftRunning(mark, 1);
    expect(stdout).toBe(`FAILED process ${pid} is still running: sleep 300 \n`);
    expect(status).toBe(1);
    expect(leftRunning(mark, 5)).toMatchObject({ status: 0, stdout: "" });
  },
);

test("the run of both tiers ends with this check, which does not find itself", () => {
  const lines = readFileSync(join(root, ".ci", "run"), "utf8").split("\n");
  const at = lines.findIndex((line) => line.startsWith('.ci/left-running "$mark"'));
  expect(lines).toContain("export FIELDMESH_RUN=$mark");
  expect(lines[at - 1]).toBe("unset FIELDMESH_RUN");
});
