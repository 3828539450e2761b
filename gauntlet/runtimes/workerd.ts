import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { families } from "../rows/index.ts";
import { casesOf, type Case, type Perform } from "../run/cases.ts";
import type { Family, Row } from "../parts/row.ts";

/** What the gauntlet uses of miniflare, which is installed for a run and not with the workspace. */
interface Miniflare {
  dispatchFetch(url: string, init: { method: string; body: string }): Promise<Response>;
  dispose(): Promise<void>;
}

/** Starts workerd with the program that makes the calls. `folder` has miniflare installed. */
export async function startWorkerd(
  folder: string,
): Promise<{ perform: Perform; stop: () => Promise<void> }> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "worker.ts")],
    bundle: true,
    format: "esm",
    target: "es2023",
    external: ["node:*"],
    write: false,
  });
  const file = join(folder, "node_modules/miniflare/dist/src/index.js");
  const miniflare = (await import(pathToFileURL(file).href)) as {
    Miniflare: new (options: object) => Miniflare;
  };
  const host = new miniflare.Miniflare({
    modules: [{ type: "ESModule", path: "worker.mjs", contents: outputFiles[0]?.text }],
    compatibilityDate: "2026-01-01",
    compatibilityFlags: ["nodejs_compat"],
  });
  const perform: Perform = async ({ door, url, options }) => {
    const body = JSON.stringify({ door, url, options });
    return await (await host.dispatchFetch("http://worker/", { method: "POST", body })).text();
  };
  return { perform, stop: () => host.dispose() };
}

type Ends = Pick<Row, "get" | "post">;

const ok: Ends = { get: "ok ×1", post: "ok ×1" };
const broken: Ends = { get: "ConnectionError * unknown ×3", post: "ConnectionError * unknown ×1" };
const NOT_UTF8 = "ResponseValidationError applied ×1";
/** The compressed bytes are not UTF-8. The body of an open row may be text in another encoding. */
const packed: Ends = { get: NOT_UTF8, post: { request: NOT_UTF8, method: "text ×1" } };
const status = (code: number, outcome: string): Ends => ({
  get: `ApiError ${code} ${outcome} ×1`,
  post: `ApiError ${code} unknown ×1`,
});

/** The rows in which the fetch of workerd differs from that of Node. `undefined` is a limit that only Node has. */
const OTHERWISE: Readonly<Record<string, Ends | undefined>> = {
  // No code says that the port is closed, so a POST is not retried.
  "the server starts while the client retries": { get: "ok ×1" },
  // It returns these as responses.
  "informational responses precede the response": status(103, "rejected"),
  "the server switches to another protocol": status(101, "rejected"),
  "a status of two digits": status(99, "rejected"),
  "a status of four digits": status(2000, "unknown"),
  "an HTTP version that does not exist": { get: "other ×1", post: "other ×1" },
  // It does not decompress these, so they stay small.
  "a deflate bomb": packed,
  "a gzip bomb in a gzip bomb": packed,
  // It reads chunks, but no chunk extensions.
  "a content-length together with chunked encoding": ok,
  "chunks with extensions and trailers": broken,
  "a space before the colon of a header": ok,
  // It ends the connection after 128 KiB, which a busy machine does not send within the time limit.
  "an endless status line": {
    get: "ConnectionError|TimeoutError *|timeout unknown ×3",
    post: "ConnectionError|TimeoutError *|timeout unknown ×1",
  },
  "a header of 20 KB": undefined,
  "10,000 headers": undefined,
};

/** The cases that need no part of Node in the client, with what can be expected of workerd. */
export function workerdCases(perform: Perform): Case[] {
  return families
    .map(({ title, rows }): Family => ({
      title,
      rows: rows.filter(runsAnywhere).flatMap(asInWorkerd),
    }))
    .flatMap((family) => casesOf(family, perform))
    .map((each) => ({ ...each, expected: withoutCodes(each.expected) }));
}

function asInWorkerd(row: Row): Row[] {
  if (!(row.fault in OTHERWISE)) return [row];
  const { get: _get, post: _post, ...rest } = row;
  const ends = OTHERWISE[row.fault];
  return ends === undefined ? [] : [{ ...rest, ...ends }];
}

/** A row of options that are data, without a connection that is kept, and without anything of Node. */
function runsAnywhere({ options, warm, nodeOnly }: Row): boolean {
  return typeof options !== "function" && warm !== true && nodeOnly !== true;
}

/** Errors of workerd have no code, so the client cannot know that a request was not sent. */
function withoutCodes(expected: string): string {
  return expected
    .replaceAll(/ConnectionError \S+/g, "ConnectionError *")
    .replaceAll("not_sent", "not_sent|unknown");
}
