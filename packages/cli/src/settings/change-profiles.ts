import { Secret } from "@fieldmesh/core";
import { readStream } from "@fieldmesh/sandbox/internal";
import { keyName, services } from "../clients/clients.ts";
import type { Run } from "../command.ts";
import type { Clients, Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import type { ServiceProfile } from "../clients/profile.ts";
import { configFile, readProfiles, writeProfiles, profileNamed } from "./profiles.ts";

/** Sets the address and key of a service in a profile. The first profile becomes the default one. */
export const runSet: Run = async (context, { arguments: [name = "", service], options }) => {
  if (!/^[\w.-]{1,64}$/.test(name) || name === "__proto__")
    throw new CliError(
      "The name of a profile can have up to 64 letters, digits, dots, underscores and dashes.",
    );
  const { used, profiles } = await readProfiles(context.env);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : {};
  // commander checks the choice.
  const which = service as keyof Clients;
  const set = await readSettings(context, which, options, profile?.[which]);
  await writeProfiles(context.env, {
    used: used ?? name,
    profiles: { ...profiles, [name]: { ...profile, [which]: set } },
  });
  context.output.note(`${name} is in ${await configFile(context.env)}.`);
};

async function readSettings(
  context: Context,
  service: keyof Clients,
  { url: given, keyStdin }: Parameters<Run>[1]["options"],
  before: ServiceProfile | undefined,
): Promise<ServiceProfile> {
  const url = typeof given === "string" ? given : before?.url;
  if (url === undefined || !isAddress(url))
    throw new CliError(
      "--url needs an address without a password, such as https://console.example.com.",
    );
  if (!services[service].hasKey) {
    if (keyStdin) throw new CliError(`The ${service} needs no key. Leave out --key-stdin.`);
    return { url };
  }
  const typed = await readKey(context, service, keyStdin === true, before?.key);
  const key = typed === "" ? before?.key : new Secret(typed);
  if (key === undefined)
    throw new CliError(`The ${service} needs a key. Run the command again and paste it.`);
  return { url, key };
}

async function readKey(
  { prompt, stdin, signal }: Context,
  service: keyof Clients,
  fromStdin: boolean,
  before: Secret | undefined,
): Promise<string> {
  if (fromStdin) return (await readStream(stdin, signal)).toString().trim();
  if (!prompt.isTerminal && before !== undefined) return "";
  const keeps = before === undefined ? "" : ", empty to keep it";
  const instead = `add --key-stdin, or set ${keyName(service)} and no profile`;
  return (await prompt.secret(`Key of the ${service}${keeps}`, instead)).trim();
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

/** Lists the profiles. Shows whether a service has a key, and never the key. */
export const runList: Run = async ({ env, output }) => {
  const { used, profiles } = await readProfiles(env);
  await output.records(
    Object.entries(profiles).flatMap(([name, profile]) =>
      Object.entries(profile).map(([service, { url, key }]) => ({
        name,
        used: name === used,
        service,
        url,
        key: key !== undefined,
      })),
    ),
    ["name", "used", "service", "url", "key"],
  );
};

/** Chooses the default profile. */
export const runUse: Run = async ({ env, output }, { arguments: [name = ""] }) => {
  const { profiles } = await readProfiles(env);
  profileNamed(profiles, name);
  await writeProfiles(env, { used: name, profiles });
  output.note(`${name} is now the default profile.`);
};

/** Removes a profile with its keys. */
export const runRemove: Run = async ({ env, output }, { arguments: [name = ""] }) => {
  const { used, profiles } = await readProfiles(env);
  profileNamed(profiles, name);
  const { [name]: _removed, ...rest } = profiles;
  await writeProfiles(env, { used: used === name ? undefined : used, profiles: rest });
  output.note(`${name} was removed.`);
};
