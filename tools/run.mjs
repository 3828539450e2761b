// Runs a command of this workspace on any machine that has Node 18 and npm:
//
//   node tools/run.mjs <command> [arguments]
//
// A recent Node and pnpm are downloaded once into .toolchain/ when they are missing, dependencies are installed
// when the lockfile has changed, and nothing outside this folder is touched.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import {
  complete,
  fail,
  isProvided,
  provide,
  read,
  root,
  say,
  shell,
  versionOf,
} from "./toolchain.mjs";

// Disables the telemetry of Turborepo and others.
const env = { DO_NOT_TRACK: "1", ...process.env };
// A file or a pipe shows the codes of colors as characters.
if (!process.stdout.isTTY && !env.FORCE_COLOR) env.NO_COLOR ??= "1";

// Inherited by everything that this starts, so that a nested call runs its command directly.
if (env.FIELDMESH_READY !== root) {
  provideTools();
  // A call of pnpm may be about to fix the lockfile that makes an install fail.
  if (process.argv[2] !== "pnpm") installDependencies();
  env.FIELDMESH_READY = root;
}
run("pnpm", ["exec", ...process.argv.slice(2)]);

function provideTools() {
  const wanted = [];
  if (!nodeIsRecent()) wanted.push("node");
  if (isProvided("pnpm") || !pnpmIsRecent()) wanted.push("pnpm");
  if (wanted.length === 0) return;
  const path = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  env[path] = [provide(wanted, env), env[path]].join(delimiter);
}

/** 22.18 is the first version that runs TypeScript files without a flag. */
function nodeIsRecent() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

/** Asked from outside the workspace, because an older pnpm would fail on its settings. */
function pnpmIsRecent() {
  const { stdout } = spawnSync("pnpm --version", { shell: true, cwd: tmpdir(), encoding: "utf8" });
  return stdout.split(".")[0] === versionOf("pnpm").split(".")[0];
}

function installDependencies() {
  const stamp = join(root, "node_modules", ".fieldmesh-lockfile");
  const lockfile = createHash("sha256")
    .update(read(join(root, "pnpm-lock.yaml")))
    .digest("hex");
  if (read(stamp) === lockfile) return;
  say("installing dependencies …");
  complete("pnpm", ["install", "--frozen-lockfile"], root, env);
  writeFileSync(stamp, lockfile);
}

function run(command, args) {
  const child = spawn(command, args, { cwd: root, env, shell, stdio: "inherit" });
  // In a terminal, Ctrl-C reaches the child too. A signal sent to this process does not.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", (error) => fail(`cannot start ${command}: ${error.message}`));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
