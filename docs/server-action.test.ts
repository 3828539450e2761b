import { createConsoleClient } from "@fieldmesh/console-client";
import { startSandbox, type RunningSandbox } from "@fieldmesh/sandbox";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openPrograms } from "./programs.ts";

// The server action of the guide, as it is, without Next.js: it is a function of a form.

type Action = (before: string, form: FormData) => Promise<string>;
const programs = openPrograms("frameworks", "server-action");
let sandbox: RunningSandbox;
let createLabel: Action;

beforeAll(async () => {
  sandbox = await startSandbox();
  vi.stubEnv("CONSOLE_URL", sandbox.console.baseUrl);
  vi.stubEnv("CONSOLE_KEY", sandbox.apiKey);
  ({ createLabel } = (await import(programs.write("action", "### A server action"))) as {
    createLabel: Action;
  });
});
beforeEach(() => {
  sandbox.reset();
  vi.spyOn(console, "error").mockReturnValue();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  programs.remove();
  await sandbox.close();
});

async function submit(name: string): Promise<string> {
  const form = new FormData();
  form.set("name", name);
  return createLabel("", form);
}

const countOf = async (name: string): Promise<number> => {
  const labels = await createConsoleClient(sandbox.console).labels.list();
  return labels.filter((label) => label.name === name).length;
};

test("an action tells whether the record was created", async () => {
  expect(await submit("Pumps")).toBe("The label Pumps was created.");
  expect(await submit("Pumps")).toContain("The label was not created: labels.create");
});

test("a record whose response was lost is looked up, and not created again", async () => {
  sandbox.setFaults([{ on: "labels.create", kind: "lost" }]);
  expect(await submit("Pumps")).toBe("The label Pumps is in the console.");
  expect(await countOf("Pumps")).toBe(1);
  expect(sandbox.log.requests("labels.create")).toHaveLength(1);
});

test.each([
  { name: "does not show the record", faults: [] },
  { name: "is down", faults: [{ on: "labels.find", kind: "status", status: 503, times: 9 }] },
] as const)("the person is told when nobody knows, and the look-up $name", async ({ faults }) => {
  sandbox.setFaults([{ on: "labels.create", kind: "status", status: 500 }, ...faults]);
  expect(await submit("Pumps")).toContain("Nobody knows yet whether Pumps was created.");
  expect(sandbox.log.requests("labels.create")).toHaveLength(1);
});
