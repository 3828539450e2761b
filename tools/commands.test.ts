import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { groups, scripts as described } from "./command-table.ts";
import { exec } from "./exec.ts";
import { root } from "./packages.ts";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Readonly<Record<string, string>>;
};
/** What only turbo runs. */
const OF_TURBO = /^(check:|tests|tarballs$|documents$|api:write$)/;

test("people have at most 20 commands to type", () => {
  const typed = Object.keys(scripts).filter((name) => !OF_TURBO.test(name));
  expect(typed.length).toBeLessThanOrEqual(20);
  expect(typed).toEqual(
    expect.arrayContaining(["start", "sandbox", "test", "test:slow", "test:release"]),
  );
  expect(typed).toEqual(expect.arrayContaining(Object.keys(groups)));
});

test("npm run help has a line for each command that people type", () => {
  const typed = Object.keys(scripts).filter((name) => !OF_TURBO.test(name));
  expect(Object.keys(described).toSorted()).toEqual(typed.toSorted());
  const { status, stdout } = run("help");
  expect(status).toBe(0);
  for (const [name, does] of Object.entries(described)) {
    expect(stdout).toContain(`\n  ${name.padEnd(16)} ${does}`);
  }
});

test("a command with --help says what it does, and does nothing", () => {
  const { status, stdout } = run("release", "pack", "--help");
  expect([status, stdout]).toEqual([
    0,
    "npm run release --:\n  pack             packs a package, and prints the command that installs it\n",
  ]);
});

test("a command of a group starts a file that exists", () => {
  const steps = Object.values(groups).flatMap((commands) =>
    Object.values(commands).flatMap((command) => command.steps),
  );
  const files = steps.flatMap((step) => /^node (\S+)/.exec(step)?.[1] ?? []);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("every command that a file names exists", async () => {
  const mentions = await exec("git", ["grep", "-hoE", "npm run [a-z:]+( -- [a-z-]+)?"], {
    cwd: root,
  });
  const unknown = [...new Set(mentions.trim().split("\n"))].filter((mention) => {
    const [, script = "", name] = /^npm run ([a-z:]+)(?: -- ([a-z-]+))?$/.exec(mention) ?? [];
    const own = scripts[script.replace(/:$/, "")];
    return (
      own === undefined ||
      (name !== undefined && groups[script] !== undefined && !(name in groups[script]))
    );
  });
  expect(unknown).toEqual([]);
});

test.each(["bench", "docs", "release"])(
  "npm run %s -- help lists its commands and ends with 0",
  (group) => {
    const { status, stdout } = run(group, "help");
    expect(status).toBe(0);
    for (const name of Object.keys(groups[group] ?? {})) expect(stdout).toContain(`\n  ${name} `);
  },
);

test("a group with a wrong name lists its commands, and fails", () => {
  const { status, stderr } = run("bench", "cals");
  expect(status).toBe(2);
  expect(stderr).toContain("Use one of these after npm run bench --:");
});

function run(...args: string[]) {
  return spawnSync(process.execPath, [join(root, "tools", "commands.ts"), ...args], {
    encoding: "utf8",
  });
}
