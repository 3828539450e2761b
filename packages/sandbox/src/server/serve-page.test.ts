import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { pageFiles } from "../../page/build.ts";
import { startSandbox } from "./start-sandbox.ts";

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

test("the page is served with a policy that allows only its own files", async () => {
  await using sandbox = await startSandbox();
  for (const path of Object.keys(await pageFiles())) {
    const response = await fetch(sandbox.origin + path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(response.headers.get("content-security-policy")).not.toContain("unsafe");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    await response.body?.cancel();
  }
  expect((await fetch(`${sandbox.origin}/page/missing.js`)).status).toBe(404);
  expect((await fetch(`${sandbox.origin}/page/__proto__`)).status).toBe(404);
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
