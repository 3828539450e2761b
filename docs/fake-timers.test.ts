import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { openPrograms } from "./programs.ts";
import { readSamples } from "./samples.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

test("the sample for Vitest does not wait", async () => {
  const programs = openPrograms("testing");
  const sample = readSamples().find(({ code }) => code.includes("vi.useFakeTimers"));
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    await import(programs.add("vitest", sample?.code ?? ""));
    expect(log).toHaveBeenCalledWith([], []);
  } finally {
    programs.remove();
  }
});

test("the sample for Jest is what the project of Jest runs", () => {
  const [, sample = ""] = /```js\n([^]*?)```/.exec(read("guides/testing.md")) ?? [];
  const run = read("../conformance/projects/jest-commonjs/fake-timers.test.js").replace(
    /^ +/gm,
    "",
  );
  expect(sample).toContain("jest.advanceTimersByTimeAsync");
  expect(run).toContain(sample);
});
