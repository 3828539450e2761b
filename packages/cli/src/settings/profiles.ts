import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, parseJson, Secret } from "@fieldmesh/core/internal";
import type { Clients, Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import type { Profile, ServiceProfile } from "../clients/profile.ts";
import { writeSecretFile } from "./write-secret-file.ts";

/** What the config file holds. */
export interface Profiles {
  /** The default profile. */
  readonly used: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NONE: Profiles = { used: undefined, profiles: {} };

/** Returns the file with the profiles: `config.json` in the platform's folder for settings, or the file of `FIELDMESH_CONFIG`. */
export async function configFile(env: Context["env"]): Promise<string> {
  if (env["FIELDMESH_CONFIG"]) return env["FIELDMESH_CONFIG"];
  const { default: envPaths } = await import("env-paths");
  return join(envPaths("fieldmesh", { suffix: "" }).config, "config.json");
}

/** Reads the named profile, that of `FIELDMESH_PROFILE`, or the default one; `undefined` without any of these. */
export async function readProfile(
  env: Context["env"],
  named: string | undefined,
): Promise<Profile | undefined> {
  const { used, profiles } = await readProfiles(env);
  const name = named ?? (env["FIELDMESH_PROFILE"] || used);
  return name === undefined ? undefined : profileNamed(profiles, name);
}

/** Returns the profile of a name. */
export function profileNamed(profiles: Profiles["profiles"], name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(profiles);
  const known = names.length === 0 ? "there is none yet" : `there are ${names.join(", ")}`;
  throw new CliError(
    `There is no profile "${name}": ${known}. Create it with "fieldmesh profile set".`,
  );
}

/** Reads all profiles. */
export async function readProfiles(env: Context["env"]): Promise<Profiles> {
  const file = await configFile(env);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return NONE;
  try {
    return decode(parseJson(text));
  } catch {
    // The error may quote the file, which contains keys.
    throw new CliError(`${file} is not a config file of fieldmesh. Correct it or remove it.`);
  }
}

/** Replaces all profiles. Only this user can read the file. */
export async function writeProfiles(env: Context["env"], profiles: Profiles): Promise<void> {
  const file = await configFile(env);
  const { stringifyJson } = await import("@fieldmesh/core");
  await writeSecretFile(file, `${stringifyJson(profiles, { reveal: true, space: 2 })}\n`);
}

function decode(value: unknown): Profiles {
  if (!isRecord(value) || !isRecord(value["profiles"])) throw new TypeError("not an object");
  const { used, profiles } = value;
  return {
    used: typeof used === "string" ? used : undefined,
    profiles: mapValues(profiles as Record<string, unknown>, (profile) =>
      mapValues(recordOf(profile) as Record<keyof Clients, unknown>, decodeService),
    ),
  };
}

function decodeService(value: unknown): ServiceProfile {
  const { url, key } = recordOf(value);
  if (typeof url !== "string") throw new TypeError("no address");
  return { url, ...(typeof key === "string" && { key: new Secret(key) }) };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new TypeError("not an object");
  return value;
}

function mapValues<K extends string, T, U>(record: Record<K, T>, map: (value: T) => U) {
  const entries = Object.entries<T>(record).map(([name, value]) => [name, map(value)] as const);
  return Object.fromEntries(entries) as Record<K, U>;
}
