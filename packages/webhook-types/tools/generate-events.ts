import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { matches, patternsOf } from "../src/events/pattern.ts";
import { readSchemas, type Family, type Field, type SchemaFile } from "./read-schemas.ts";
import { readPersonal, secretsIn, type Personal, readData } from "./read-personal.ts";

const src = join(import.meta.dirname, "..", "src");
const FOLDER = "packages/webhook-types/src/events/generated";
const SAMPLES = "packages/webhook-types/src/events/samples/generated";
const HEADER =
  "// @generated from the schema files by `npm run generate -- events`. Do not edit.\n";

/** Generates the interfaces, the lists of types, successors and secrets, and the registries of schemas and samples, by path from the root. */
export async function generateEvents(): Promise<Map<string, string>> {
  const files = readSchemas();
  files.forEach(requireSamples);
  const data = await readData(files);
  const secrets = data
    .map(({ type, schema }) => ({ type, names: secretsIn(schema) }))
    .filter(({ names }) => names.length > 0);
  const families = files
    .flatMap((file) => file.families)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map([
    [`${FOLDER}/interfaces.ts`, HEADER + interfaces(files, families, secrets)],
    [`${FOLDER}/event-types.ts`, HEADER + eventTypes(families) + successors(families)],
    [
      `${FOLDER}/hidden-fields.ts`,
      HEADER + secretFields(secrets) + personalFields(readPersonal(data)),
    ],
    [`${FOLDER}/data-schemas.ts`, HEADER + dataSchemas(files)],
    [`${SAMPLES}/data-samples.ts`, HEADER + dataSamples()],
  ]);
}

/** The names of the secret fields of a type, at any depth. */
interface Secrets {
  readonly type: string;
  readonly names: readonly string[];
}

/** Without it, what reads the samples later would fail with a riddle. */
function requireSamples({ name, families }: SchemaFile): void {
  const text = readFileSync(join(src, "events", "samples", `${name}.ts`), "utf8");
  const missing = families
    .flatMap(({ events }) => events)
    .filter(({ type }) => !text.includes(`"${type}":`));
  if (missing.length > 0)
    throw new Error(
      `Write a sample of ${missing.map(({ type }) => type).join(", ")} in packages/webhook-types/src/events/samples/${name}.ts.`,
    );
}

function interfaces(
  files: readonly SchemaFile[],
  families: readonly Family[],
  secrets: readonly Secrets[],
): string {
  const [current, earlier] = [false, true].map((isEarlier) => rowsOf(families, isEarlier).length);
  return `import type { OpenEnum, Secret } from "@fieldmesh/core";
import type {
  ChangeData,
  ChangeOf,
  DataOf,
  EventData,
  EventOf,
  OpenRecord,
  Resource,
} from "../envelope.ts";

${files.map(typesOf).join("\n")}
/** Every event by its type: ${current} types of the current catalog, and ${earlier} that only an earlier one has. */
export interface EventMap
  extends
${families.map(({ table }) => `    ${table}`).join(",\n")} {}

/** The tables by family. A family is what comes before the first dot of a type. */
export interface FamilyMap {
${families.map(({ name, table }) => `  ${name}: ${table};\n`).join("")}}

/** The types by pattern of whole parts. */
export interface PatternMap {
${patterns(families)}}

/** The names of the secret fields, by event type. */
export interface SecretFieldMap {
${secrets.map(({ type, names }) => `  "${type}": ${quoted(names).join(" | ")};\n`).join("")}}
`;
}

function rowsOf(families: readonly Family[], isEarlier: boolean) {
  return families.flatMap(({ events }) => events).filter((each) => each.isEarlier === isEarlier);
}

/** Written out, because types that a compiler computes cost each program that imports them. */
function patterns(families: readonly Family[]): string {
  return families
    .flatMap(({ name, table, events }) => {
      const types = events.map(({ type }) => type);
      const whole = `  ${textOf(`${name}.*`)}\n  "${name}.*": keyof ${table};\n`;
      const longer = new Set(
        types.flatMap(patternsOf).filter((pattern) => pattern !== `${name}.*`),
      );
      return [whole, ...[...longer].map((pattern) => typesOfPattern(pattern, types))];
    })
    .join("");
}

function textOf(pattern: string): string {
  return `/** All events whose type begins with \`${pattern.slice(0, -1)}\`. */`;
}

function typesOfPattern(pattern: string, types: readonly string[]): string {
  const included = quoted(types.filter((type) => matches(pattern, type)));
  return `  ${textOf(pattern)}\n  "${pattern}":\n${included.map((type) => `    | ${type}`).join("\n")};\n`;
}

function quoted(names: readonly string[]): string[] {
  return names.map((name) => JSON.stringify(name));
}

function typesOf({ types, families }: SchemaFile): string {
  const declared = types.map(({ name, doc, alias, extends: base, fields = [] }) =>
    alias === undefined
      ? `${comment(doc)}export interface ${name}${basesOf(base, fields)} {${body(fields.map(fieldOf))}}\n`
      : `${comment(doc)}export type ${name} = ${alias};\n`,
  );
  const tables = families.map(
    ({ table, doc, events }) =>
      `${comment(doc)}export interface ${table} {${body(
        events.map((row) => `${comment(row.doc, "  ")}  "${row.type}": ${row.event};\n`),
      )}}\n`,
  );
  return [...declared, ...tables].join("\n");
}

/** A resource of which the spec names no field may have any. Otherwise, a misspelled name must not compile. */
function basesOf(base: string | undefined, fields: readonly Field[]): string {
  if (base === undefined) return "";
  return ` extends ${base}${base === "Resource" && fields.length === 0 ? ", OpenRecord" : ""}`;
}

function body(members: readonly string[]): string {
  return members.length === 0 ? "" : `\n${members.join("")}`;
}

function fieldOf({ name, doc, type, isOptional }: Field): string {
  return `${comment(doc, "  ")}  ${name}${isOptional ? "?" : ""}: ${type};\n`;
}

function comment(doc: string | undefined, indent = ""): string {
  return doc === undefined ? "" : `${indent}${doc.replaceAll("\n", `\n${indent}`)}\n`;
}

function eventTypes(families: readonly Family[]): string {
  const list = (isEarlier: boolean): string =>
    rowsOf(families, isEarlier)
      .map(({ type }) => `  "${type}",\n`)
      .join("");
  return `import type { EventMap } from "./interfaces.ts";

/** The types of the current catalog. \`GET /v1/reference/event_types\` lists those of your deployment: compare them with \`checkCatalog\`. */
export const currentEventTypes: readonly CurrentEventType[] = [
${list(false)}];

/** Types that only an earlier catalog has. */
export const earlierEventTypes = [
${list(true)}] as const satisfies readonly (keyof EventMap)[];

/** An event type of an earlier catalog. */
export type EarlierEventType = (typeof earlierEventTypes)[number];

/** An event type of the current catalog. */
export type CurrentEventType = Exclude<keyof EventMap, EarlierEventType>;
`;
}

function successors(families: readonly Family[]): string {
  const lines = rowsOf(families, true).map(
    ({ type, successor }) => `  "${type}": ${JSON.stringify(successor)},\n`,
  );
  return `
/** What the types of the earlier catalog are called today. */
export const successors: Readonly<Record<EarlierEventType, string | undefined>> = {
${lines.join("")}};
`;
}

function secretFields(secrets: readonly Secrets[]): string {
  const rows = secrets.map(({ type, names }) => `  "${type}": [${quoted(names).join(", ")}],\n`);
  return `import type { SecretFieldMap } from "./interfaces.ts";

/**
 * The names of the secret fields, by event type. A stored event has none of them.
 *
 * @example
 * \`\`\`ts
 * secretFields["sim.activated"]; // ["activation_code"]
 * \`\`\`
 */
export const secretFields: {
  readonly [Type in keyof SecretFieldMap]: readonly SecretFieldMap[Type][];
} = {
${rows.join("")}};
`;
}

function personalFields({ fields, links, declared }: Personal): string {
  const rows = Object.entries(declared).map(
    ([type, names]) => `  "${type}": [${quoted(names).join(", ")}],\n`,
  );
  return `
/** The personal fields of objects in events, by family and path. \`*\` stands for the whole object. */
export const personalFields = [
${fields.map((field) => `  ${JSON.stringify(field)},\n`).join("")}] as const;

/** A field of {@link personalFields}. */
export type PersonalField = (typeof personalFields)[number];

/** The names of links that open without a login. */
export const signedLinks: readonly string[] = [${quoted(links).join(", ")}];

/** The fields without a mark, of objects that are personal or secret as a whole, by event type. */
export const declaredInHidden: Readonly<Record<string, readonly string[]>> = {
${rows.join("")}};
`;
}

function dataSchemas(files: readonly SchemaFile[]): string {
  const imports = files.map(
    ({ name, families }) =>
      `import { ${families.map(({ table }) => table).join(", ")} } from "../schemas/${name}.ts";\n`,
  );
  const tables = files.flatMap(({ families }) => families.map(({ table }) => `  ...${table},\n`));
  return `import type * as z from "@fieldmesh/core/internal/zod";
${imports.join("")}import type { EventMap } from "./interfaces.ts";

/** Makes the schema of an event's \`data\`, by its type: a process that gets three types does not pay for all. */
export const dataSchemas = {
${tables.join("")}} satisfies {
  readonly [Type in keyof EventMap]: () => z.core.$ZodType<EventMap[Type]["data"]>;
};
`;
}

function dataSamples(): string {
  const files = readdirSync(join(src, "events", "samples"))
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .map((file) => {
      const text = readFileSync(join(src, "events", "samples", file), "utf8");
      return { file, tables: [...text.matchAll(/^export const (\w+)/gm)].map((found) => found[1]) };
    });
  const imports = files.map(
    ({ file, tables }) => `import { ${tables.join(", ")} } from "../${file}";\n`,
  );
  const tables = files.flatMap((each) => each.tables.map((table) => `  ...${table},\n`));
  return `${imports.join("")}import type { Samples } from "../../samples.ts";
import type { EventMap } from "../../generated/interfaces.ts";

/** The \`data\` of a sample of each type. */
export const dataSamples: Samples<EventMap> = {
${tables.join("")}};
`;
}
