import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { install, RUNTIMES } from "../../../tools/install.ts";

// Runs the same vectors, and an event of every type, on Bun, Deno, workerd and in a browser. The bundler condition of each
// runtime resolves the package.

const run = promisify(execFile);
const MINUTES = 60_000;
const folder = mkdtempSync(join(tmpdir(), "fieldmesh-compat-"));
const bin = (name: string): string => join(folder, "node_modules", ".bin", name);

// Checked before the tests are defined, so that a run without a runtime says so.
const notInstalled = await why(prepare());
const notInBrowser = await why(run("chromium", ["--version"]));
for (const mac of ["node", "web"] as const) {
  await bundle(mac, "program", `console.log(JSON.stringify(await failures()));`);
  await bundle(
    mac,
    "worker",
    `export default { fetch: async () => Response.json(await failures()) };`,
  );
}
await bundle(
  "web",
  "page",
  `fetch("/result", { method: "POST", body: JSON.stringify(await failures()) });`,
);
writeFileSync(
  join(folder, "worker-host.mjs"),
  `import { Miniflare } from "miniflare";
   const host = new Miniflare({ modules: true, scriptPath: "worker-web.mjs", compatibilityDate: "2026-01-01" });
   console.log(await (await host.dispatchFetch("http://127.0.0.1/")).text());
   await host.dispose();`,
);

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const programs: [string, string, string[]][] = [
  ["Bun, WebCrypto", bin("bun"), ["program-web.mjs"]],
  ["Bun, node:crypto", bin("bun"), ["program-node.mjs"]],
  ["Deno, WebCrypto", bin("deno"), ["run", "--quiet", "program-web.mjs"]],
  ["Deno, node:crypto", bin("deno"), ["run", "--quiet", "program-node.mjs"]],
  ["workerd, WebCrypto", process.execPath, ["worker-host.mjs"]],
];
for (const [name, command, args] of programs) {
  test.skipIf(notInstalled !== undefined)(
    `${name}: agrees with every vector, and parses every type${because(notInstalled)}`,
    async () => {
      const { stdout } = await run(command, args, { cwd: folder });
      expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual([]);
    },
    MINUTES,
  );
}

test.skipIf(notInBrowser !== undefined)(
  `Chromium: agrees with every vector, and parses every type${because(notInBrowser)}`,
  async () => {
    expect(await resultInBrowser()).toEqual([]);
  },
  MINUTES,
);

/** Serves the bundle on loopback, where a page may use WebCrypto, and waits for the result that the page sends. */
async function resultInBrowser(): Promise<unknown> {
  const { promise: result, resolve } = Promise.withResolvers<unknown>();
  const server = createServer((request, response) => {
    if (request.url === "/result") {
      void text(request).then((body) => resolve(JSON.parse(body)));
      response.end();
    } else if (request.url === "/page.mjs") {
      response.setHeader("content-type", "text/javascript");
      response.end(readFileSync(join(folder, "page-web.mjs")));
    } else {
      response.setHeader("content-type", "text/html");
      response.end(`<!doctype html><script type="module" src="/page.mjs"></script>`);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const profile = `--user-data-dir=${join(folder, "profile")}`;
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", profile];
  const browser = spawn("chromium", [...flags, `http://127.0.0.1:${port}/`], { stdio: "ignore" });
  const ended = once(browser, "exit");
  try {
    return await Promise.race([
      result,
      ended.then(([code]) => Promise.reject(new Error(`Chromium ended with ${String(code)}.`))),
    ]);
  } finally {
    browser.kill();
    await ended;
    server.closeAllConnections();
    server.close();
  }
}

/** Installs Bun, Deno and workerd from npm. */
async function prepare(): Promise<void> {
  const names = Object.entries(RUNTIMES).map(([name, version]) => `${name}@${version}`);
  // Bun and Deno install their binaries with a script.
  await install(folder, names, { scripts: true });
  for (const name of ["bun", "deno"]) await run(bin(name), ["--version"]);
}

/** Returns why something does not work, or `undefined` if it works. */
async function why(attempt: Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    return String(error).replaceAll(folder, ".").split("\n").slice(0, 2).join(" ");
  }
}

function because(missing: string | undefined): string {
  return missing === undefined ? "" : `: skipped, because ${missing}`;
}

async function bundle(mac: "node" | "web", name: string, program: string): Promise<void> {
  await build({
    stdin: {
      contents: `import { failures } from "./runtime-program.ts";\n${program}`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: "esm",
    target: "es2023",
    platform: mac === "node" ? "node" : "browser",
    alias: { "#mac": join(import.meta.dirname, `../src/verify/mac-${mac}.ts`) },
    outfile: join(folder, `${name}-${mac}.mjs`),
  });
}
