import { join } from "node:path";
import { expect, it } from "vitest";
import { CommandError } from "./exec.ts";
import { root } from "./packages.ts";
import { runSteps, type Step } from "./steps.ts";

async function linesOf(
  steps: Step[],
): Promise<{ lines: string[]; passed: number; failed: number }> {
  const lines: string[] = [];
  const { passed, failed } = await runSteps(steps, (line) =>
    lines.push(line.replace(/\d+\.\d s/, "_ s")),
  );
  return { lines, passed, failed };
}

const fine = async (): Promise<undefined> => undefined;

it("prints a line for each step, with what the step has to remark", async () => {
  const steps = [
    { name: "lint", run: fine },
    { name: "build", run: async () => "cached" },
  ];
  expect(await linesOf(steps)).toEqual({
    lines: ["ok      lint             _ s", "ok      build            _ s  cached"],
    passed: 2,
    failed: 0,
  });
});

it("shows all that a command has said when it fails, and goes on", async () => {
  const lint = async (): Promise<never> => {
    throw new CommandError("oxlint --fix", join(root, "docs"), "line 1\nline 2\n");
  };
  const { lines, passed, failed } = await linesOf([
    { name: "lint", run: lint },
    { name: "types", run: fine },
  ]);

  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
  expect(lines).toContain("    docs> oxlint --fix\n    line 1\n    line 2");
});

it("does not start a step whose need has failed, and counts it as failed", async () => {
  let started = false;
  const pack = async (): Promise<undefined> => void (started = true);
  const build = (): Promise<never> => Promise.reject(new Error("no"));
  const { failed } = await linesOf([
    { name: "build", run: build },
    { name: "pack", needs: "build", run: pack },
  ]);

  expect({ failed, started }).toEqual({ failed: 2, started: false });
});

it("adds up steps that are many tests", async () => {
  const tests = async (): Promise<{ passed: number; failed: number }> => ({
    passed: 40,
    failed: 2,
  });
  const { passed, failed } = await linesOf([
    { name: "tests", run: tests },
    { name: "lint", run: fine },
  ]);

  expect({ passed, failed }).toEqual({ passed: 41, failed: 2 });
});

it("runs two at a time", async () => {
  let running = 0;
  let most = 0;
  const run = async (): Promise<undefined> => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
  };
  await runSteps(
    ["a", "b", "c", "d"].map((name) => ({ name, run })),
    () => {},
    2,
  );
  expect(most).toBe(2);
});
