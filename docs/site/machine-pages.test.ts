import { expect, test } from "vitest";
import { names } from "../../tools/packages.ts";
import { asMarkdown } from "./machine-pages.ts";
import { mark } from "./markdown.ts";

test.each([
  ["errors/A.md", "[all](./index.md#c)", `[all](${names.site}errors.md#c)`],
  ["guides/a.md", "[`x`](../api/y/index.md)", `[\`x\`](${names.site}api/y/)`],
  ["guides/a.md", "![x](../public/page/x.webp)", `![x](${names.site}page/x.webp)`],
  ["guides/a.md", "![A walk](../diagrams/walk.svg)", "Diagram: A walk"],
  [
    "guides/a.md",
    "`[x](./y.md)` [b](#c) [d](https://e.org)",
    "`[x](./y.md)` [b](#c) [d](https://e.org)",
  ],
  ["events/a.md", '<a href="../s/a.json" target="_self">a</a>', `[a](${names.site}s/a.json)`],
  ["reference/a/b.md", '<p class="fm-route"><b>GET</b> <code>/a/{b}</code></p>', "`GET /a/{b}`"],
  ["reference/a/b.md", `Its name ${mark("observed")}.`, "Its name (observed)."],
])("in %s, %s becomes %s", (path, source, expected) => {
  expect(asMarkdown(source, path)).toBe(expected);
});
