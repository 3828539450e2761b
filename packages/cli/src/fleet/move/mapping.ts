import type { NewIntegration } from "@fieldmesh/console-client";
import { integrations as rows } from "@fieldmesh/console-client/endpoints";
import { encodeInput } from "@fieldmesh/http/internal";
import * as z from "@fieldmesh/core/internal/zod";
import { CliError } from "../../exit-codes.ts";
import { nearest } from "../../nearest.ts";
import { readMappingFile } from "../files/mapping-file.ts";
import { inWordsOfAShell } from "../../shell-words.ts";
import type { Fleet } from "./fleet.ts";

const ids = z.optional(z.record(z.string(), z.nullable(z.string())));
const mappingFields = z.strictObject({
  integrations: z.optional(z.record(z.string(), z.nullable(z.looseObject({ type: z.string() })))),
  config_profiles: ids,
  functions: ids,
});

/** What an export does not know about another console. `null` leaves a thing out; `undefined` is an open question. */
export interface Mapping {
  /** With its credentials. */
  readonly integration: (name: string) => NewIntegration | null | undefined;
  readonly configProfile: (id: string) => string | null | undefined;
  readonly functionId: (id: string) => string | null | undefined;
}

/** The creating endpoint of each type. */
const CREATIONS = {
  http: rows.createHttp,
  mqtt: rows.createMqtt,
  cloudA: rows.createCloudA,
  cloudB: rows.createCloudB,
  partner1: rows.createPrebuilt,
  partner2: rows.createPrebuilt,
  partner3: rows.createPrebuilt,
  partner4: rows.createPrebuilt,
} as const;
const TYPES = Object.keys(CREATIONS);

/** Reads a mapping file, and checks its integrations before anything is sent. Without a file, every question is open. */
export async function readMapping(
  file: string | undefined,
  fleet: Fleet,
  observedRules: boolean,
): Promise<Mapping> {
  if (file === undefined) return toMapping({});
  const fields = await readMappingFile(mappingFields, file, HOLDS);
  const names = fleet.integrations.map(({ name }) => name);
  for (const entry of Object.entries(fields.integrations ?? {}))
    checkIntegration(file, entry, names, observedRules);
  return toMapping(fields);
}

/** Returns the open questions of a fleet as a mapping file to fill in. */
export function mappingTemplate(open: readonly OpenQuestion[]): string {
  const of = (kind: OpenQuestion["kind"], value: unknown): Record<string, unknown> =>
    Object.fromEntries(open.filter((each) => each.kind === kind).map(({ key }) => [key, value]));
  const template = {
    integrations: of("integrations", { type: "http", endpoint: "", method: "post" }),
    config_profiles: of("config_profiles", ""),
    functions: of("functions", ""),
  };
  return `${JSON.stringify(template, undefined, 2)}\n`;
}

/** An entry that the mapping file lacks. */
export interface OpenQuestion {
  readonly kind: keyof z.output<typeof mappingFields>;
  readonly key: string;
}

function toMapping({
  integrations = {},
  config_profiles = {},
  functions = {},
}: z.output<typeof mappingFields>): Mapping {
  return {
    integration(name) {
      const value = ownValue(integrations, name);
      return value && ({ ...value, name } as unknown as NewIntegration);
    },
    configProfile: (id) => filled(ownValue(config_profiles, id)),
    functionId: (id) => filled(ownValue(functions, id)),
  };
}

function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** An empty entry of a template is still open. */
function filled(id: string | null | undefined): string | null | undefined {
  return id === "" ? undefined : id;
}

const HOLDS =
  '"integrations", each with its type and credentials or null, "config_profiles" and "functions", each an id or null';

function checkIntegration(
  file: string,
  [name, value]: readonly [string, { readonly type: string } | null],
  names: readonly string[],
  observedRules: boolean,
): void {
  const owner = `The mapping file ${file}: the integration ${JSON.stringify(name)}`;
  if (!names.includes(name)) {
    const meant = nearest(name, names);
    throw new CliError(
      `${owner} is not in the fleet. ${meant === undefined ? "Remove it." : `Did you mean ${JSON.stringify(meant)}?`}`,
    );
  }
  if (value === null) return;
  const { type } = value;
  if (!Object.hasOwn(CREATIONS, type))
    throw new CliError(`${owner} must have one of the types ${TYPES.join(", ")}.`);
  const { body } = CREATIONS[type as keyof typeof CREATIONS];
  const encoded = encodeInput(body as z.core.$ZodType, { ...value, name }, observedRules);
  if (!("problems" in encoded)) return;
  const [problem] = encoded.problems;
  const said = inWordsOfAShell(`${problem?.path}: ${problem?.message}`);
  throw new CliError(`${owner}: ${said}. Correct it, or write null to leave the integration out.`);
}
