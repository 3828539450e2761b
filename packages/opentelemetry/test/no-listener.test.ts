import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

/** Returns a program that counts loaded modules and channel messages during a call, a list and a delivery. */
const program = (first: string): string => `
  import { registerHooks } from "node:module";
  import channels from "node:diagnostics_channel";
  const loaded = [];
  const builtins = () => process.moduleLoadList.filter((name) => /diagnostics_channel|async_hooks/.test(name)).length;
  const builtinsBefore = builtins();
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  const traced = [];
  const open = channels.tracingChannel;
  const prototype = Object.getPrototypeOf(open("fieldmesh:test"));
  const { tracePromise } = prototype;
  prototype.tracePromise = function (work, message, ...rest) {
    // Node itself traces import().
    if (this.start.name.startsWith("tracing:fieldmesh:")) traced.push(message);
    return tracePromise.call(this, work, message, ...rest);
  };
  ${first}
  const { createConsoleClient } = await import("@fieldmesh/console-client");
  const { createReceiver, memoryStore } = await import("@fieldmesh/webhook-types/receiver");
  const { signedRequest } = await import("@fieldmesh/webhook-types");
  const { sampleEvent } = await import("@fieldmesh/webhook-types/samples");
  const fetch = async () => Response.json([]);
  const client = createConsoleClient({ baseUrl: "https://console.test", apiKey: "a-key", fetch });
  await client.labels.list();
  const receive = createReceiver({ secret: "whsec_test_secret_only", store: memoryStore(), handlers: { "*": () => {} } });
  await receive(await signedRequest(sampleEvent("sim.activated"), { url: "http://127.0.0.1/", secret: "whsec_test_secret_only" }));
  const ofTelemetry = loaded.filter((url) => /opentelemetry/.test(url)).length;
  console.log(JSON.stringify({ traced: traced.length, ofTelemetry, builtins: builtins() - builtinsBefore }));`;

const runProgram = async (first: string): Promise<unknown> => {
  const args = ["--input-type=module", "--eval", program(first)];
  const { stdout } = await run(process.execPath, args, { cwd: import.meta.dirname });
  return JSON.parse(stdout) as unknown;
};

test("without a listener, no message is created and no module is loaded", async () => {
  expect(await runProgram("")).toEqual({ traced: 0, ofTelemetry: 0, builtins: 0 });
});

test("with a listener, messages are created", async () => {
  const listen = 'open("fieldmesh:call").subscribe({ start() {} });';
  expect(await runProgram(listen)).toMatchObject({ traced: 1, ofTelemetry: 0 });
});
