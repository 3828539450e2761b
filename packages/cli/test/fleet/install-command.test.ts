import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CHIRPSTACK_PACKAGES } from "../../src/fleet/targets/load-chirpstack.ts";
import { installCommand } from "../../src/fleet/targets/install-command.ts";
import manifest from "../../package.json" with { type: "json" };

const FILE = "node_modules/@fieldmesh/cli/dist/load.js";
const args = ["fleet", "plan", "my fleet.age", "--target", "chirpstack"];

function projectWith(lockfile?: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fieldmesh-install-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), "{}");
  if (lockfile !== undefined) writeFileSync(join(folder, lockfile), "");
  mkdirSync(join(folder, "src"));
  return folder;
}

test.each([
  [undefined, "npm install a b"],
  ["package-lock.json", "npm install a b"],
  ["pnpm-lock.yaml", "pnpm add a b"],
  ["yarn.lock", "yarn add a b"],
  ["bun.lock", "bun add a b"],
])("a project with the lockfile %s gets a command of its manager", (lockfile, command) => {
  const project = projectWith(lockfile);
  const start = { file: join(project, FILE), args };
  expect(installCommand(["a", "b"], { ...start, folder: project })).toBe(command);
  expect(installCommand(["a", "b"], { ...start, folder: join(project, "src") })).toBe(command);
  expect(installCommand(["a", "b"], { ...start, folder: tmpdir() })).toBe(
    `cd ${project} && ${command}`,
  );
});

test.each([
  ["/usr/local/lib/", "npm install --global a b"],
  ["/home/me/.local/share/pnpm/global/5/", "pnpm add --global a b"],
  [
    "/home/me/.npm/_npx/0123/",
    `npx -p @fieldmesh/cli@${manifest.version} -p a -p b fieldmesh fleet plan 'my fleet.age' --target chirpstack`,
  ],
  [
    "/home/me/.cache/pnpm/dlx/0123/",
    `pnpm --package=@fieldmesh/cli@${manifest.version} --package=a --package=b dlx fieldmesh fleet plan 'my fleet.age' --target chirpstack`,
  ],
])("a program in %s gets a command for there", (place, command) => {
  const start = { file: `${place}${FILE}`, folder: projectWith(), args };
  expect(installCommand(["a", "b"], start)).toBe(command);
});

test("a command runs nothing that its arguments or its folder contain", () => {
  const parts = ["$(touch ran)", "it's", "!!", "=ls", "a\nb"];
  const start = { file: `/home/me/.npm/_npx/0123/${FILE}`, folder: projectWith() };
  expect(installCommand(["a"], { ...start, args: parts })).toBe(
    `npx -p @fieldmesh/cli@${manifest.version} -p a fieldmesh '$(touch ran)' 'it'"'"'s' \\!\\! '=ls' 'a'$'\\012''b'`,
  );
});

test("the packages for ChirpStack are those that the package declares as optional peers", () => {
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"),
  ) as Record<"peerDependencies" | "peerDependenciesMeta", Record<string, object | string>>;
  const named = CHIRPSTACK_PACKAGES.map((each) => each.replace(/@\d+$/, ""));
  expect(Object.keys(peerDependencies)).toEqual(named);
  expect(peerDependenciesMeta).toEqual(
    Object.fromEntries(named.map((each) => [each, { optional: true }])),
  );
  expect(Object.values(peerDependencies)).toEqual(["^4.19.0", "^1.14.3"]);
});
