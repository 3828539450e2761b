import { expect, test } from "vitest";
import { pageFiles } from "../../page/build.ts";
import type { NodeHandler } from "./node-listener.ts";
import { withPage } from "./serve-page.ts";

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
