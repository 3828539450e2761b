import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { eventTypes } from "../src/index.ts";
import { validateEnabledEvents } from "../src/subscription/index.ts";

// What an editor shows of the catalog, from the language service that editors use.

const file = join(import.meta.dirname, "__editor.ts");
const source = `
import { isKnownEvent, type EventMap, type WebhookEvent, type UnknownEvent } from "../src/index.ts";
import { createEventRouter } from "../src/router/index.ts";
createEventRouter({ "sim.activated": (one) => one, "sim.reinstated": () => 1, "sim.*": (family) => family });
declare const event: WebhookEvent | UnknownEvent;
if (isKnownEvent(event)) { const known = event; if (event.type === "sim.activated") { const narrowed = event; } }
createEventRouter({ "" });
`;
const config = ts.getParsedCommandLineOfConfigFile(
  join(import.meta.dirname, "../tsconfig.json"),
  {},
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
);
const misspelledFile = join(import.meta.dirname, "__misspelled.ts");
let misspelled = "";
let version = 1;
const read = (name: string): string | undefined =>
  name === file ? source : name === misspelledFile ? misspelled : ts.sys.readFile(name);
const service = ts.createLanguageService({
  getScriptFileNames: () => [file, misspelledFile],
  getScriptVersion: (name) => (name === misspelledFile ? String(version) : "1"),
  getScriptSnapshot: (name) => {
    const text = read(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => import.meta.dirname,
  getCompilationSettings: () => config?.options ?? {},
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: (name) => name === file || name === misspelledFile || ts.sys.fileExists(name),
  readFile: read,
  directoryExists: (name) => ts.sys.directoryExists(name),
});

function hover(piece: string, offset = 0): { type: string; text: string; tags: string } {
  const info = service.getQuickInfoAtPosition(file, source.indexOf(piece) + offset);
  return {
    type: ts.displayPartsToString(info?.displayParts).replaceAll(/\s+/g, " "),
    text: ts.displayPartsToString(info?.documentation),
    tags: (info?.tags ?? [])
      .map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`)
      .join(),
  };
}

test("a router key shows when its event fires, and the successor of an earlier one", () => {
  expect(hover('"sim.activated":', 1).text).toContain(
    "Fires when the carrier confirms activation.",
  );
  expect(hover('"sim.reinstated":', 1).tags).toBe(
    "@deprecated Of an earlier catalog; today likely `sim.restored`.",
  );
});

test.each([
  ["sim.activatd", "Did you mean 'sim.activated'?"],
  ["sim.acitvated", "Did you mean 'sim.activated'?"],
  ["simm.*", "Did you mean 'sim.*'?"],
  ["otherwis", "Did you mean 'otherwise'?"],
  ["drone.landed", "This is neither an event type nor a pattern. See eventTypes."],
])("the misspelled name %s is one type error with advice", (name, advice) => {
  for (const table of [
    `createEventRouter({ "${name}": (each) => each });`,
    `createReceiver({ secret: "whsec_test", store: noStore(), handlers: { "${name}": (each) => each } });`,
  ]) {
    misspelled = `import { createEventRouter } from "../src/router/index.ts";
import { createReceiver, noStore } from "../src/receiver/index.ts";
void createReceiver, noStore, createEventRouter;
${table}`;
    version += 1;
    const errors = service
      .getSemanticDiagnostics(misspelledFile)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    expect(errors).toEqual([expect.stringContaining(advice)]);
  }
});

test("the completion of a router key shows the same description", () => {
  const position = source.lastIndexOf('""') + 1;
  const names =
    service
      .getCompletionsAtPosition(file, position, {})
      ?.entries.map(({ name }) => name.replaceAll('"', "")) ?? [];
  expect(names).toEqual(expect.arrayContaining([...eventTypes, "sim.*", "*"]));
  const details = service.getCompletionEntryDetails(
    file,
    position,
    "sim.activated",
    {},
    undefined,
    {},
    undefined,
  );
  expect(ts.displayPartsToString(details?.documentation)).toContain(
    "Fires when the carrier confirms activation.",
  );
});

test("hovers show the names of types, not their members", () => {
  expect(hover("known =").type).toMatch(/^const known: EventOf<"[a-z_.]+", \w+> \| .* more/);
  expect(hover("event:").type).toMatch(
    /^const event: (UnknownEvent \| WebhookEvent|WebhookEvent \| UnknownEvent)$/,
  );
  expect(hover("narrowed =").type).toBe('const narrowed: EventOf<"sim.activated", InstallableSim>');
  expect(hover("one)").type).toBe('(parameter) one: EventOf<"sim.activated", InstallableSim>');
  expect(hover("family)").type.length).toBeLessThan(1000);
  expect(hover("family)").type).not.toContain("{");
});

test("every member of the catalog's interfaces says when it fires; the earlier ones are deprecated", () => {
  const program = service.getProgram();
  const checker = program?.getTypeChecker();
  const map = program?.getSourceFile(
    join(import.meta.dirname, "../src/events/generated/interfaces.ts"),
  );
  const declaration = map?.statements.find(
    (each) => ts.isInterfaceDeclaration(each) && each.name.text === "EventMap",
  );
  const members = checker?.getTypeAtLocation(declaration!).getProperties() ?? [];
  expect(members.map(({ name }) => name).sort()).toEqual([...eventTypes].sort());
  const silent = members.filter(
    (each) => !ts.displayPartsToString(each.getDocumentationComment(checker)).startsWith("Fires "),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
  // The generator reads the successors of enabled_events from these comments.
  const today = members.flatMap((each) => {
    const tag = each.getJsDocTags(checker).find(({ name }) => name === "deprecated");
    if (tag === undefined) return [];
    const text = ts.displayPartsToString(tag.text).replaceAll(/\s+/g, " ").replaceAll("`", "");
    return [[each.name, text.replace(/^Of an earlier catalog; /, "")]];
  });
  const successors = {
    "sim.ordered": "today likely sim.provisioned.",
    "sim.reinstated": "today likely sim.restored.",
    "sim.swap_completed": "today likely sim.swapped.",
    "port.validation_success": "today's catalog has nothing in its place.",
    "port.validation_failed": "today's catalog has nothing in its place.",
    "port.scheduled": "today's catalog has nothing in its place.",
    "port_out.requested": "today likely port.out_validation_requested.",
    "port_out.completed": "today likely port.out_completed.",
    "carrier_connection.verify_failed": "today likely carrier_connection.auth_failed.",
    "usage.threshold_crossed":
      "today likely usage.data_threshold_crossed, usage.voice_threshold_crossed and usage.sms_threshold_crossed.",
    "event.delivery_failed": "today's catalog has nothing in its place.",
  };
  expect(Object.fromEntries(today)).toEqual(successors);
  for (const [type, text] of Object.entries(successors)) {
    const [problem] = validateEnabledEvents([type]);
    expect(problem?.message).toContain(
      text.startsWith("today ") ? text.replace("today ", "") : "without a successor",
    );
  }
});

test("the types of the catalog cost a consumer's compiler under 3,000 instantiations", () => {
  const own = `
    import { isKnownEvent, type UnknownEvent, type WebhookEvent } from "../src/index.ts";
    export function handle(event: WebhookEvent | UnknownEvent): unknown {
      if (!isKnownEvent(event)) return event.type;
      switch (event.type) {
        case "sim.activated": return event.data.object.activation_code?.reveal();
        case "invoice.paid": return event.data.object.document_url;
        case "cpni.verification.requested": return event.data.object.agent.user_id;
        default: return undefined;
      }
    }
    export const sims = (event: WebhookEvent<"sim.*">): string => event.type;`;
  const count = instantiationsOf(own);
  expect(count).toBeGreaterThan(500);
  expect(count).toBeLessThan(3_000);
}, 60_000);

/** Counts the published declarations, not the sources. */
function instantiationsOf(text: string): number {
  const options: ts.CompilerOptions = {
    ...config?.options,
    incremental: false,
    skipLibCheck: false,
  };
  const host = ts.createCompilerHost(options);
  const real = ts.createCompilerHost(options);
  const virtual = new Map([...declarations(), [file, text]]);
  const isSource = (name: string): boolean =>
    /packages\/webhook-types\/src\/.*(?<!\.d)\.ts$/.test(name);
  host.fileExists = (name) => virtual.has(name) || (!isSource(name) && real.fileExists(name));
  host.readFile = (name) => virtual.get(name) ?? real.readFile(name);
  host.getSourceFile = (name, ...rest) => {
    const content = virtual.get(name);
    if (content === undefined) return real.getSourceFile(name, ...rest);
    return ts.createSourceFile(name, content, ts.ScriptTarget.Latest);
  };
  const program = ts.createProgram([file], options, host);
  // The consumer's file and the whole catalog. The other files name `Request`, whose cost is that of the library.
  const checked = [...virtual.keys()].filter((name) => name === file || name.includes("/events/"));
  const wrong = checked.flatMap((name) => {
    const found = program.getSourceFile(name);
    // No declaration imports it. Without a file, the compiler would check all of them.
    return found === undefined ? [] : program.getSemanticDiagnostics(found);
  });
  expect(wrong.map(({ messageText }) => messageText)).toEqual([]);
  return program.getInstantiationCount();
}

function declarations(): [string, string][] {
  const root = join(import.meta.dirname, "../src/index.ts");
  const options = {
    ...config?.options,
    incremental: false,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
  };
  const found: [string, string][] = [];
  ts.createProgram([root], options).emit(
    undefined,
    (name, text) => found.push([name, text]),
    undefined,
    true,
  );
  return found;
}
