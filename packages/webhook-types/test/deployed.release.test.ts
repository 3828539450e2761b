// Adapters that cannot run in this process: a built and started Next.js app, and AWS's own runtime client.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../../tools/servers.ts";
import { exec } from "../../../tools/exec.ts";
import { tarballs } from "../../../tools/install.ts";
import { signedRequest } from "../src/index.ts";
import { sampleEvent } from "../src/samples.ts";

// Not a canary, because this test writes it to the files of the apps.
const SECRET = "whsec_in_the_code_of_an_app";
const INSTALL = ["next@16.4.6", "react@19.3.1", "react-dom@19.3.1"];
const RIC = "aws-lambda-ric@4.0.2";
const MINUTE = 60_000;

const receiver = `import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
export const receive = createReceiver({
  secret: "${SECRET}",
  store: memoryStore(),
  handlers: { "sim.activated": ({ data }) => console.log("activated", data.object.id) },
});
`;
const files = {
  "receiver.mjs": receiver,
  "app/layout.jsx":
    "export default function Layout({ children }) { return <html><body>{children}</body></html>; }",
  "app/page.jsx": 'export default function Page() { return "up"; }',
  "app/hooks/route.js": `import { toNextHandler } from "@fieldmesh/webhook-types/adapters";
import { receive } from "../../receiver.mjs";
export const POST = toNextHandler(receive);
`,
  "lambda.mjs": `import { toLambdaHandler } from "@fieldmesh/webhook-types/adapters";
import { receive } from "./receiver.mjs";
export const handler = toLambdaHandler(receive);
`,
};

const folder = mkdtempSync(join(tmpdir(), "fieldmesh-deployed-"));
const nodeHeaders = mkdtempSync(join(tmpdir(), "fieldmesh-headers-"));
const started: ChildProcess[] = [];
writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
await install([...INSTALL, ...Object.values(tarballs)]);
// The client compiles a native part, which not every machine can do.
const why = await install([RIC]).then(
  () => "",
  () => `: skipped, because ${RIC} could not be compiled (cmake, g++, make and python3)`,
);

beforeAll(() => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  for (const each of [folder, nodeHeaders]) rmSync(each, { recursive: true, force: true });
});

// A build takes half a minute. One that hung was seen once, and the retry is soon enough then.
test("Next.js: a built and started app accepts a delivery", { timeout: 4 * MINUTE }, async () => {
  const next = join(folder, "node_modules", "next", "dist", "bin", "next");
  const env = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
  await exec(process.execPath, [next, "build"], { cwd: folder, env, timeout: 3 * MINUTE });
  const port = await freePort();
  const child = start([next, "start", "--hostname", "127.0.0.1", "--port", String(port)], env);
  const output = collect(child);
  await output.until(/Ready/);
  const url = `http://127.0.0.1:${port}/hooks`;
  const event = sampleEvent("sim.activated", { data: { object: { id: "sim_next" } } });
  const answers = [];
  for (const secret of [SECRET, SECRET, "whsec_wrong"]) {
    const answer = await fetch(await signedRequest(event, { url, secret }));
    answers.push([answer.status, await answer.text()]);
  }
  expect(answers).toEqual([
    [200, "handled"],
    [200, "duplicate"],
    [401, "not_verified"],
  ]);
  // Its output may arrive after its response.
  await output.until(/activated sim_next/);
});

test.skipIf(why !== "")(
  `AWS Lambda: AWS's own client passes deliveries to the adapter${why}`,
  async () => {
    const event = sampleEvent("sim.activated", { data: { object: { id: "sim_lambda" } } });
    const request = await signedRequest(event, { url: "http://127.0.0.1/", secret: SECRET });
    const body = await request.text();
    const headers = Object.fromEntries(request.headers);
    const invocations = [
      { version: "2.0", requestContext: { http: { method: "POST" } }, headers, body },
      { httpMethod: "POST", headers, body: btoa(body), isBase64Encoded: true },
      { version: "2.0", requestContext: { http: { method: "POST" } }, headers, body: `${body} ` },
    ];
    const api = await serveRuntimeApi(invocations);
    const child = start([join(folder, "node_modules", "aws-lambda-ric", "index.mjs")], {
      _HANDLER: "lambda.handler",
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${api.port}`,
      LAMBDA_TASK_ROOT: folder,
      AWS_LAMBDA_FUNCTION_NAME: "hooks",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "128",
      AWS_LAMBDA_FUNCTION_VERSION: "1",
      AWS_LAMBDA_LOG_GROUP_NAME: "group",
      AWS_LAMBDA_LOG_STREAM_NAME: "stream",
    });
    const output = collect(child);
    expect(await Promise.race([api.answers, output.until(/cannot-be-there/)])).toMatchObject([
      { statusCode: 200, body: "handled" },
      { statusCode: 200, body: "duplicate" },
      { statusCode: 401, body: "not_verified" },
    ]);
    await output.until(/activated sim_lambda/);
    api.server.close();
  },
);

/** Installs packages by their names or files, with the headers of this Node installation, because none are downloaded. */
async function install(names: readonly string[]): Promise<void> {
  const flags = ["--no-audit", "--no-fund", "--legacy-peer-deps", "--ignore-scripts=false"];
  const include = join(dirname(dirname(process.execPath)), "include");
  const env: Record<string, string> = {};
  if (existsSync(join(include, "node", "node_api.h"))) {
    // Through another path, because the makefiles do not tolerate a space in one.
    env["npm_config_nodedir"] = nodeHeaders;
    if (!existsSync(join(nodeHeaders, "include")))
      symlinkSync(include, join(nodeHeaders, "include"));
  }
  await exec("npm", ["install", ...flags, ...names], { cwd: folder, env });
}

function start(args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  return child;
}

/** Returns the output of a program, and a function that waits for a pattern in it. If the program ends early, the error contains its output. */
function collect(child: ChildProcess) {
  let text = "";
  const changed = new EventTarget();
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      text += String(chunk);
      changed.dispatchEvent(new Event("more"));
    });
  const ended = once(child, "exit").then(() => {
    throw new Error(`it has ended: ${text}`);
  });
  ended.catch(() => {});
  return {
    until: async (pattern: RegExp): Promise<undefined> => {
      while (!pattern.test(text)) await Promise.race([once(changed as never, "more"), ended]);
    },
  };
}

/** Serves the runtime API of Lambda to the client: one invocation after the other, and a route for each response. */
async function serveRuntimeApi(invocations: readonly unknown[]) {
  let next = 0;
  const answers: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<unknown[]>();
  const server: Server = createServer((req, res) => {
    if (req.method === "GET") {
      // After the last invocation the client requests another one, and waits.
      if (next >= invocations.length) return;
      res.setHeader("lambda-runtime-aws-request-id", `request-${next}`);
      res.setHeader("lambda-runtime-deadline-ms", String(Date.now() + MINUTE));
      res.setHeader("lambda-runtime-invoked-function-arn", "arn:aws:lambda:eu-1:1:function:hooks");
      res.setHeader("content-type", "application/json");
      res.end(JSON.stringify(invocations[next++]));
      return;
    }
    let body = "";
    req.on("data", (chunk) => (body += String(chunk)));
    req.on("end", () => {
      res.statusCode = 202;
      res.end("{}");
      answers.push(JSON.parse(body));
      if (answers.length === invocations.length) resolve(answers);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port, answers: promise };
}
