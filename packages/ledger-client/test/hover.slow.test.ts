import { expect, test } from "vitest";
import { openEditor } from "../../../tools/editor.ts";

// The hovers and definitions that an editor shows.

const { hover, definition } = openEditor(
  import.meta.dirname,
  `
import { createLedgerClient } from "../src/index.ts";
import * as z from "zod";
const client = createLedgerClient({ baseUrl: "" });
client.blocks.list;
client.blocks.get;
client.blocks.follow;
client.accounts.get;
client.accounts.rewards;
client.accounts.hotspots({ address: "" });
client.accounts.hotspots({ address: "" }, { schema: z.object({ gain: z.number() }) });
client.vars.list;
`,
);

test("hovering over a list shows a pager of its records and the doc comment of the row", () => {
  expect(hover("client.blocks.list;").type).toMatch(/=> Pager<Chosen<T>>$/);
  expect(hover("client.blocks.list;").text).toContain("List the blocks, newest first");
  expect(hover("client.accounts.rewards;").type).toMatch(/=> TimedPager<Chosen<T>>$/);
  expect(hover("client.blocks.follow;").type).toMatch(/: BlockFollower$/);
});

test("hovering over a call shows the type of its schema, or otherwise that of the row", () => {
  const plain = hover('client.accounts.hotspots({ address: "" });').type;
  expect(plain).toContain(": <Hotspot>(input: { address: string;");
  expect(plain).toMatch(/=> Pager<Hotspot>$/);
  expect(hover('client.accounts.hotspots({ address: "" }, {').type).toMatch(
    /=> Pager<\{ gain: number; \}>$/,
  );
});

test("a deprecated method is struck out", () => {
  expect(hover("client.blocks.get;").tags).toContain("deprecated");
  expect(hover("client.blocks.list;").tags).not.toContain("deprecated");
});

test("going to the definition of a method opens its row", () => {
  const { file, source } = definition("client.accounts.rewards;");
  expect(file).toMatch(/ledger-client\/src\/accounts\.ts$/);
  expect(source.startsWith('rewards: endpoint("GET /v1/accounts/:address/rewards"')).toBe(true);
});
