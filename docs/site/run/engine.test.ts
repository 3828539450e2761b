import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** As in Chromium: the browser adds this header later. */
class BrowserRequest extends Request {
  constructor(...args: ConstructorParameters<typeof Request>) {
    super(...args);
    this.headers.delete("user-agent");
  }
}

/** What a browser and a worker have. */
const GLOBALS = {
  AbortController,
  AbortSignal,
  atob,
  btoa,
  clearTimeout,
  crypto,
  DOMException,
  Headers,
  performance,
  queueMicrotask,
  ReadableStream,
  Request: BrowserRequest,
  Response,
  setTimeout,
  structuredClone,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
};

const PROGRAM = `
  import { createLedgerClient } from "@fieldmesh/ledger-client";
  import { createSandbox } from "@fieldmesh/sandbox/engine";
  export async function run() {
    const { clock, ledger, setFaults, webhooks } = createSandbox();
    webhooks.register({ url: "https://example.com/hooks", fetch: async () => new Response("ok") });
    await webhooks.trigger("sim.activated");
    await clock.advance(1_000);
    setFaults([{ kind: "lost", times: 1 }]);
    const client = createLedgerClient({ ...ledger, retry: { baseDelay: 1 } });
    const { height } = await client.blocks.height();
    return [height, webhooks.deliveries()[0].status];
  }`;

test("the engine and a client run where nothing of Node is", async () => {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "program",
    platform: "browser",
  });
  const context = createContext({ ...GLOBALS });
  runInContext(outputFiles[0]!.text, context);
  const result = (await runInContext("program.run()", context)) as unknown[];
  expect([...result]).toEqual([1_000_000, "delivered"]);
});
