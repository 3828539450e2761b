import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

// What an editor shows: hovers and definitions, asked of the same service that editors ask.

const file = join(import.meta.dirname, "__editor.ts");
const source = `
import { createConsoleClient } from "../src/index.js";
import * as z from "zod";
const client = createConsoleClient({ baseUrl: "", apiKey: "" });
client.labels.list;
client.labels.get;
client.labels.create({ name: "" });
client.labels.create({ name: "" }, { schema: z.object({ color: z.string() }) });
client.devices.createBatch;
client.devices.createMany;
client.integrations.createHttp;
`;

const config = ts.getParsedCommandLineOfConfigFile(
  join(import.meta.dirname, "../tsconfig.json"),
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: () => undefined,
  },
);
const read = (name: string): string | undefined => (name === file ? source : ts.sys.readFile(name));
const service = ts.createLanguageService({
  getScriptFileNames: () => [file],
  getScriptVersion: () => "1",
  getScriptSnapshot: (name) => {
    const text = read(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => import.meta.dirname,
  getCompilationSettings: () => config?.options ?? {},
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: (name) => name === file || ts.sys.fileExists(name),
  readFile: read,
  directoryExists: (name) => ts.sys.directoryExists(name),
});

/** Where the last name of a piece of the source stands. */
function at(piece: string): number {
  const start = source.indexOf(piece);
  if (start === -1) throw new Error(`the source has no ${piece}`);
  return start + piece.replace(/[({].*$/, "").lastIndexOf(".") + 1;
}

function hover(piece: string): { type: string; text: string } {
  const info = service.getQuickInfoAtPosition(file, at(piece));
  const flat = ts.displayPartsToString(info?.displayParts).replaceAll(/\s+/g, " ");
  return { type: flat, text: ts.displayPartsToString(info?.documentation) };
}

test("hovering a method gives a short type and the row's text", () => {
  expect(hover("client.labels.list;")).toMatchObject({
    type: "(property) list: (options?: CallOptions | undefined) => Promise<Label[]>",
    text: expect.stringContaining("List the labels of the organization"),
  });
  expect(hover("client.labels.get;").type).toBe(
    "(property) get: (input: { label_id: string; }, options?: CallOptions | undefined) => Promise<Label>",
  );
  expect(hover("client.devices.createBatch;").type).toContain("=> Promise<DeviceBatch>");
  expect(hover("client.devices.createMany;").text).toContain("Create any number of devices");
});

test("hovering a named input gives its name", () => {
  expect(hover("client.integrations.createHttp;").type).toContain("(input: NewHttpIntegration,");
});

test("hovering a call with a schema gives what the schema makes, without one what the row says", () => {
  expect(hover('client.labels.create({ name: "" });').type).toMatch(/=> Promise<Label>$/);
  expect(hover('client.labels.create({ name: "" }, {').type).toMatch(
    /=> Promise<\{ color: string; \}>$/,
  );
});

test("go to definition lands on the row", () => {
  const [definition] = service.getDefinitionAtPosition(file, at("client.labels.list;")) ?? [];
  expect(definition?.fileName).toMatch(/console-client\/src\/labels\.ts$/);
  const text = ts.sys.readFile(definition?.fileName ?? "") ?? "";
  expect(
    text.slice(definition?.textSpan.start).startsWith('list: endpoint("GET /api/v1/labels"'),
  ).toBe(true);
});
