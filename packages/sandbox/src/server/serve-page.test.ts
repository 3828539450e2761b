import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { pageFiles } from "../../page/build.ts";
import type { NodeHandler } from "./node-listener.ts";
import { withPage } from "./serve-page.ts";

/** Bytes on first load, compressed. */
const BUDGET = 60_000;

test("the page and its files are within the budget of the first load, and name no other server", async () => {
  const files = await pageFiles();
  const first = ["/", "/page/page.js", "/page/style.css"].map((path) => files[path]?.body ?? "");
  expect(first.every((body) => body.length > 100)).toBe(true);
  const bytes = first.reduce((sum, body) => sum + gzipSync(body).length, 0);
  expect(bytes).toBeLessThan(BUDGET);
  const names = first.flatMap(
    (body) => body.match(/(?:https?:)?\/\/[a-z][\w-]*(?:\.[\w-]+)+/g) ?? [],
  );
  // The namespaces of SVG and MathML are names, and are never requested.
  expect(names.filter((name) => !name.includes("www.w3.org"))).toEqual([]);
  expect(files["/"]?.body).not.toMatch(/<script(?![^>]*src=)|<style|onclick|style=/);
});

test("the descriptions of an event type and its fields are served for the forms", async () => {
  const files = await pageFiles();
  const texts = JSON.parse(files["/page/event-texts.json"]?.body ?? "{}") as Record<
    string,
    { text: string; fields: Record<string, string> }
  >;
  expect(Object.keys(texts).length).toBeGreaterThan(130);
  expect(texts["sim.activated"]).toMatchObject({
    text: expect.stringContaining("Fires when"),
    fields: {
      state: expect.stringContaining("state of the SIM"),
      activation_code: expect.any(String),
    },
  });
});

const connection = { remoteAddress: "127.0.0.1", destroy: () => {} };
const handler: NodeHandler = () => new Response("handled", { status: 202 });

const send = async (method: string, path: string, isPublic = false) =>
  await withPage(handler, { isPublic })(
    new Request(`http://127.0.0.1:4010${path}`, { method }),
    connection,
  );

test("the page has headers that allow nothing but its own files, and keep its address to itself", async () => {
  const response = await send("GET", "/");
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toEqual({
    "cache-control": "no-store",
    "content-security-policy":
      "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "content-type": "text/html; charset=utf-8",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  expect(await response.text()).toBe((await pageFiles())["/"]?.body);
});

test.each([
  ["GET", "/", 200, 401],
  ["HEAD", "/", 200, 401],
  ["GET", "/?a=1", 200, 401],
  ["GET", "/page/page.js", 200, 200],
  ["GET", "/page/style.css", 200, 200],
  ["POST", "/", 202, 202],
  ["DELETE", "/page/page.js", 202, 202],
  ["GET", "/page", 202, 202],
  ["GET", "/page/", 202, 202],
  ["GET", "/page/missing.js", 202, 202],
  ["GET", "/pages/page.js", 202, 202],
  ["GET", "/x/page/page.js", 202, 202],
  ["GET", "/sandbox", 202, 202],
])(
  "%s %s has the status %i on this machine, and %i under a public address",
  async (method, path, ...statuses) => {
    for (const [at, isPublic] of [false, true].entries())
      expect((await send(method, path, isPublic)).status).toBe(statuses[at]);
  },
);
