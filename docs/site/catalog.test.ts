import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventTypes, type EventType } from "@fieldmesh/webhook-types";
import type { EventRouter } from "@fieldmesh/webhook-types/router";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import ts from "typescript";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { services } from "@fieldmesh/sandbox/services";
import { handlerOf } from "./events.ts";
import { generatePages } from "./write-pages.ts";

// Inside docs, so that imports resolve as they do for a user of the packages. A folder of its own: another test removes .samples.
const folder = join(import.meta.dirname, "..", ".samples-handlers");
const fileOf = (type: string): string => join(folder, `${type}.ts`);
const pages = await generatePages();

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const type of eventTypes) writeFileSync(fileOf(type), handlerOf(type));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every endpoint has its section, its command, its sample and its errors", () => {
  for (const { name: service, tables } of services) {
    const page = pages.get(`reference/${service}.md`) ?? "";
    const calls = Object.entries(tables).flatMap(([resource, table]) =>
      Object.entries(table).map(([name, row]) => ({ call: `${resource}.${name}`, row })),
    );
    for (const { call, row } of calls) {
      const [, section = ""] = page.split(new RegExp(`^### ${call}\\b.*$`, "m"));
      const text = section.split(/^##/m)[0] ?? "";
      expect(text).toContain(`<code>${row.route.split(" ")[1]}</code>`);
      expect(text).toContain("```sh [curl]");
      expect(text).toContain("```ts [TypeScript]");
      expect(text).toMatch(/```(json|txt) \[Answer\]/);
      for (const status of Object.keys(row.errors)) expect(text).toContain(`| \`${status}\` |`);
      for (const name of Object.keys({ ...row.path, ...row.query }))
        expect(text).toContain(`| \`${name}\``);
    }
  }
});

test("every event type has its section, with payload, sample and handler", () => {
  const page = pages.get("events.md") ?? "";
  const sections = page.split(`<section class="fm-event" data-type="`).slice(1);
  const types = sections.map((section) => section.split('"')[0]!);
  expect(types.sort()).toEqual([...eventTypes].sort());
  for (const section of sections) {
    expect(section).toMatch(/^\| `object` \|/m);
    expect(section).toContain("```json");
    expect(section).toContain("createEventRouter");
  }
});

test("a secret and personal data are marked, and an earlier type names today's", () => {
  const page = pages.get("events.md") ?? "";
  const sectionOf = (type: string): string =>
    page.split(`data-type="${type}">`)[1]?.split("</section>")[0] ?? "";
  expect(sectionOf("sim.activated")).toMatch(/`object\.activation_code`.*>secret</);
  expect(sectionOf("sim.activated")).toMatch(/`object\.msisdn`.*>personal data</);
  expect(sectionOf("sim.ordered")).toContain("today `sim.provisioned`");
});

test("the handlers to copy compile", { timeout: 60_000 }, () => {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(import.meta.dirname, "..", "tsconfig.json"),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  const program = ts.createProgram(eventTypes.map(fileOf), config!.options);
  const problems = ts.getPreEmitDiagnostics(program);
  expect(
    problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
  ).toEqual([]);
});

test.for([...eventTypes])("the handler of %s gets its event", async (type: EventType) => {
  const log = vi.spyOn(console, "log").mockReturnValue();
  const { router } = (await import(fileOf(type))) as { router: EventRouter };
  const event = sampleEvent(type);
  await router.dispatch(event);
  expect(log).toHaveBeenCalledExactlyOnceWith(event.id, event.data.object);
  log.mockRestore();
});
