import { expect, test } from "vitest";
import { openEditor } from "../../../tools/editor.ts";

// What an editor shows: hovers and definitions.

const { hover, definition } = openEditor(
  import.meta.dirname,
  `
import { createConsoleClient } from "../src/index.ts";
import * as z from "zod";
const client = createConsoleClient({ baseUrl: "", apiKey: "" });
client.labels.list;
client.labels.get;
client.labels.create({ name: "" });
client.labels.create({ name: "" }, { schema: z.object({ color: z.string() }) });
client.devices.createBatch;
client.devices.createMany;
client.integrations.createHttp;
`,
);

test("hovering over a method shows a short type and the description of the row", () => {
  expect(hover("client.labels.list;")).toMatchObject({
    type: "(property) list: (options?: CallOptions | undefined) => Promise<ListedLabel[]>",
    text: expect.stringContaining("List all labels of the organization"),
  });
  expect(hover("client.labels.get;").type).toBe(
    "(property) get: (input: { label_id: string; }, options?: CallOptions | undefined) => Promise<Label>",
  );
  expect(hover("client.devices.createBatch;").type).toContain("=> Promise<DeviceBatch>");
  expect(hover("client.devices.createMany;").text).toContain("Create any number of devices");
});

test("hovering over a named input shows its name", () => {
  expect(hover("client.integrations.createHttp;").type).toContain("(input: NewHttpIntegration,");
});

test("hovering over a call shows the type of its schema, or else that of the row", () => {
  expect(hover('client.labels.create({ name: "" });').type).toMatch(/=> Promise<Label>$/);
  expect(hover('client.labels.create({ name: "" }, {').type).toMatch(
    /=> Promise<\{ color: string; \}>$/,
  );
});

test("go to definition opens the row", () => {
  const { file, source } = definition("client.labels.list;");
  expect(file).toMatch(/console-client\/src\/labels\.ts$/);
  expect(source.startsWith('list: endpoint("GET /api/v1/labels"')).toBe(true);
});
