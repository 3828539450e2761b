import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findBrokenLinks } from "./broken-links.ts";

const folder = mkdtempSync(join(tmpdir(), "links-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a link to no file, to no anchor or beside the base is broken, and no other", () => {
  mkdirSync(join(folder, "guides"));
  writeFileSync(join(folder, "icon.svg"), "");
  writeFileSync(
    join(folder, "index.html"),
    `<a href="/x/guides/one.html#top">one</a><img class="a" src="/x/icon.svg"><a href="https://example.com/none">away</a>
    <a href="/guides/one.html">beside</a>`,
  );
  writeFileSync(
    join(folder, "guides", "one.html"),
    `<h1 id="top"></h1><a href="#top">here</a><a href="../">home</a><a href="./one">short</a>
    <a href="./two.html">none</a><a href="#bottom">none</a><link href="/x/none.css">`,
  );
  expect(findBrokenLinks(folder, "/x/").sort()).toEqual([
    "guides/one.html: #bottom",
    "guides/one.html: ./two.html",
    "guides/one.html: /x/none.css",
    "index.html: /guides/one.html",
  ]);
});
