import { existsSync, realpathSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isRecord, Secret, stringifyJson } from "@fieldmesh/core/internal";
import { jsonOrUndefined, replaceFile } from "@fieldmesh/sandbox/internal";
import type { Clients, Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import type { Profile, ServiceProfile, UsedProfile } from "../clients/profile.ts";

/** What the config file holds. */
export interface Profiles {
  /** The default profile. */
  readonly used: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

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
): Promise<UsedProfile | undefined> {
  const { used, profiles } = await readProfiles(env);
  const own = env["FIELDMESH_PROFILE"];
  const name = named ?? (own || used);
  if (name === undefined) return undefined;
  const chosenBy = named !== undefined ? "--profile" : own ? "FIELDMESH_PROFILE" : "the default";
  return { name, chosenBy, services: profileNamed(profiles, name) };
}

/** Returns the profile of a name. */
export function profileNamed(profiles: Profiles["profiles"], name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(profiles);
  const known = names.length === 0 ? "there is none yet" : `there are ${names.join(", ")}`;
  throw new CliError(
    `There is no profile of this name: ${known}. Create it with "fieldmesh profile set".`,
  );
}

/** Reads all profiles. */
export async function readProfiles(env: Context["env"]): Promise<Profiles> {
  const file = await configFile(env);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return { used: undefined, profiles: {} };
  const found = jsonOrUndefined(text);
  if (!isConfig(found))
    throw new CliError(`${file} is not a config file of fieldmesh. Correct it or remove it.`);
  const { used, profiles } = found;
  return {
    used: typeof used === "string" ? used : undefined,
    profiles: mapValues(profiles, (profile) => mapValues(profile, withSecret)),
  };
}

/** Replaces all profiles. Only this user can read the file. */
export async function writeProfiles(env: Context["env"], profiles: Profiles): Promise<void> {
  const file = await configFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // A config file may be a link into a folder with all settings of the user.
  const target = existsSync(file) ? realpathSync(file) : file;
  replaceFile(target, `${stringifyJson(profiles, { reveal: true, space: 2 })}\n`);
}

/** The contents of the config file. */
interface Config {
  readonly used?: unknown;
  readonly profiles: Record<string, Record<keyof Clients, StoredService>>;
}

interface StoredService {
  readonly url: string;
  readonly key?: unknown;
}

function isConfig(value: unknown): value is Config {
  const isService = (each: unknown): boolean => isRecord(each) && typeof each["url"] === "string";
  const isProfile = (each: unknown): boolean =>
    isRecord(each) && Object.values(each).every(isService);
  if (!isRecord(value) || !isRecord(value["profiles"])) return false;
  return Object.values(value["profiles"]).every(isProfile);
}

function withSecret({ url, key }: StoredService): ServiceProfile {
  return { url, ...(typeof key === "string" && { key: new Secret(key) }) };
}

function mapValues<K extends string, T, U>(record: Record<K, T>, map: (value: T) => U) {
  const entries = Object.entries<T>(record).map(([name, value]) => [name, map(value)] as const);
  return Object.fromEntries(entries) as Record<K, U>;
}
