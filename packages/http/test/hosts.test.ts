import { join } from "node:path";
import { expect, test } from "vitest";
import { exec } from "../../../tools/exec.ts";
import { packages, publicEntries } from "../../../tools/packages.ts";

/** Returns what clients, parsers and receivers do on a host. */
const seenOn = async (host: string): Promise<readonly (readonly [string, unknown])[]> =>
  JSON.parse(await exec(process.execPath, [join(import.meta.dirname, "hosts-program.ts"), host]));

const plain = seenOn("plain");

test("a plain host carries out every call, and each fault is an error of ours", async () => {
  const faults = (await plain).filter(([, result]) => /^\w*Error:/.test(String(result)));
  const kinds = new Set(faults.map(([, result]) => String(result).split(":")[0]));
  expect([...kinds].toSorted((one, other) => one!.localeCompare(other!))).toEqual([
    "ApiError",
    "ConnectionError",
    "EventParseError",
    "ResponseValidationError",
    "TimeoutError",
    "TypeError",
    "UplinkParseError",
  ]);
  expect((await plain).length).toBeGreaterThan(faults.length * 2);
});

test.each(["enumerable members on Object.prototype", "a frozen Error.prototype"])(
  "%s: every call, event and error is as on a plain host",
  async (host) => {
    expect(await seenOn(host)).toEqual(await plain);
  },
);

/** What Jest with jsdom hides of Node. */
const HIDDEN =
  `TextDecoder TextEncoder fetch Request Response Headers FormData ReadableStream WritableStream
TransformStream structuredClone BroadcastChannel MessageChannel DOMException DecompressionStream`.split(
    /\s/,
  );

/** These begin a server, or run the code of others on Node. */
const OF_NODE = /sandbox\/src\/(index|msw|prove\/index)\.ts$/;

const entries = packages
  .flatMap((each) => publicEntries(each.manifest).map(([, source]) => join(each.folder, source)))
  .filter((file) => !OF_NODE.test(file));

test("every entry loads where Jest hides what jsdom lacks, and a client says what to set", async () => {
  // ky makes a TextEncoder when it loads. In the CommonJS build, which Jest loads, the build replaces it: see conformance.
  const code = `
    await import(${JSON.stringify(join(import.meta.dirname, "../src/send/ky.ts"))});
    for (const name of ${JSON.stringify(HIDDEN)}) delete globalThis[name];
    const loaded = [];
    for (const file of ${JSON.stringify(entries)}) loaded.push([file, await import(file)]);
    const { createLedgerClient, isApiError } = Object.assign({}, ...loaded.map(([, each]) => each));
    let message = isApiError(new Error()) ? "wrong" : "";
    try { createLedgerClient({ baseUrl: "https://service.test" }); } catch (error) { ({ message } = error); }
    console.log(JSON.stringify([loaded.length, message]));`;
  const printed = await exec(process.execPath, ["--input-type=module", "--eval", code]);
  const [count, message] = JSON.parse(printed) as [number, string];
  expect(count).toBe(entries.length);
  expect(message).toBe(
    'fieldmesh needs Request, Response, Headers, TextDecoder, which this environment lacks. In Jest, set testEnvironment: "node" in its configuration, or begin the test file with /** @jest-environment node */.',
  );
});
