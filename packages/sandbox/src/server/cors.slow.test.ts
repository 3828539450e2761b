import { globSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newDevice } from "../engine/testing/console.ts";
import { type RunningSandbox, startSandbox } from "./start-sandbox.ts";

// A web page from another port of this machine, in a real browser.

const folders = (process.env["PATH"] ?? "").split(":");
const [program] = globSync(folders.map((folder) => join(folder, "chromium{,-browser}")));
const why = program === undefined ? ": skipped, because there is no chromium" : "";

/** What the page has of our clients. */
const CLIENTS = `
import { createConsoleClient } from "@fieldmesh/console-client";
import { createLedgerClient } from "@fieldmesh/ledger-client";
window.clients = { createConsoleClient, createLedgerClient };
`;

/** What the test passes into the page. */
interface Given {
  readonly origin: string;
  readonly key: string;
}

describe.skipIf(program === undefined)(`a web page on another port${why}`, () => {
  let browser: Browser;
  let script = "";
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program!, args: ["--no-sandbox"] });
    const bundle = await build({
      stdin: { contents: CLIENTS, resolveDir: import.meta.dirname },
      bundle: true,
      format: "esm",
      platform: "browser",
      write: false,
    });
    script = bundle.outputFiles[0]!.text;
  });
  afterAll(() => browser.close());

  async function open(host: string, sandbox: RunningSandbox) {
    const server = createServer((_, res) => {
      res.setHeader("content-type", "text/html");
      res.end(`<!doctype html><title>page</title><script type="module">${script}</script>`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://${host}:${port}/`);
    await page.waitForFunction(() => "clients" in globalThis);
    const given: Given = { origin: sandbox.origin, key: sandbox.apiKey };
    return {
      page,
      given,
      [Symbol.asyncDispose]: async () => {
        await context.close();
        server.close();
      },
    };
  }

  async function start(): Promise<RunningSandbox> {
    const sandbox = await startSandbox({
      console: { data: "empty" },
      ledger: { accounts: 250, emptyPages: 0 },
    });
    const response = await fetch(`${sandbox.console.baseUrl}/api/v1/devices`, {
      method: "POST",
      headers: { key: sandbox.apiKey, "content-type": "application/json" },
      body: JSON.stringify(newDevice()),
    });
    expect(response.status).toBe(201);
    return sandbox;
  }

  test("lists devices and walks the ledger by our clients", async () => {
    await using sandbox = await start();
    await using opened = await open("127.0.0.1", sandbox);
    const { page, given } = opened;
    const seen = await page.evaluate(async ({ origin, key }: Given) => {
      type Clients = {
        createConsoleClient: (options: object) => {
          devices: { list: () => Promise<{ name: string }[]> };
          labels: { create: (input: object) => Promise<{ name: string }> };
        };
        createLedgerClient: (options: object) => {
          accounts: { list: () => { toArray: (limit: object) => Promise<unknown[]> } };
        };
      };
      const { createConsoleClient, createLedgerClient } = (
        globalThis as never as { clients: Clients }
      ).clients;
      const dangerouslyAllowBrowser = true;
      const client = createConsoleClient({
        baseUrl: `${origin}/console`,
        apiKey: key,
        dangerouslyAllowBrowser,
      });
      const ledger = createLedgerClient({ baseUrl: `${origin}/ledger` });
      const devices = await client.devices.list();
      const label = await client.labels.create({ name: "From a page" });
      const accounts = await ledger.accounts.list().toArray({ limit: Infinity });
      return [devices.map(({ name }) => name), label.name, accounts.length];
    }, given);
    expect(seen).toEqual([["Tank 1"], "From a page", 250]);
  });

  test("cannot call the controls, and a page of another origin can call nothing", async () => {
    await using sandbox = await start();
    const outcomes = async (host: string) => {
      await using opened = await open(host, sandbox);
      const { page, given } = opened;
      return await page.evaluate(async ({ origin, key }: Given) => {
        const paths = ["/sandbox/settings", "/sandbox/snapshot", "/console/api/v1/devices"];
        return await Promise.all(
          paths.map((path) =>
            fetch(origin + path, path.startsWith("/console") ? { headers: { key } } : {}).then(
              ({ status }) => status,
              (error: Error) => error.name,
            ),
          ),
        );
      }, given);
    };
    expect(await outcomes("localhost")).toEqual(["TypeError", "TypeError", 200]);
    browser = await relaunch(browser);
    expect(await outcomes("page.example.com")).toEqual(["TypeError", "TypeError", "TypeError"]);
  });

  /** The name of another machine, which leads to this one in this browser only. */
  async function relaunch(current: Browser): Promise<Browser> {
    await current.close();
    return chromium.launch({
      executablePath: program!,
      args: ["--no-sandbox", "--host-resolver-rules=MAP page.example.com 127.0.0.1"],
    });
  }
});
