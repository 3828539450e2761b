import type { Clock, Secret } from "@fieldmesh/core";
import type { ClientOptions } from "@fieldmesh/http";
import type { Sandbox } from "@fieldmesh/sandbox";
import type { NamedServices } from "@fieldmesh/sandbox/internal";
import type { Clients, Context } from "../context.ts";
import { SANDBOX_VARIABLE } from "@fieldmesh/sandbox/internal";
import { CliError } from "../exit-codes.ts";
import type { UsedProfile } from "./profile.ts";
import { inWordsOfAShell, type ShellWords } from "../shell-words.ts";

interface ServiceInfo {
  readonly hasKey: boolean;
  /** Returns the function that creates its client. */
  readonly load: () => Promise<(options: Options) => Clients[keyof Clients]>;
}

type Options = ClientOptions & { readonly apiKey: string | Secret };

/** Each service: its client is loaded when a command needs it. */
export const services: Readonly<Record<keyof Clients, ServiceInfo>> = {
  console: {
    hasKey: true,
    load: async () => (await import("@fieldmesh/console-client")).createConsoleClient,
  },
  ledger: {
    hasKey: false,
    load: async () => {
      const { createLedgerClient } = await import("@fieldmesh/ledger-client");
      return ({ apiKey: _none, ...options }) => createLedgerClient(options);
    },
  },
  mapper: {
    hasKey: false,
    load: async () => {
      const { createMapperClient } = await import("@fieldmesh/mapper-client");
      return ({ apiKey: _none, ...options }) => createMapperClient(options);
    },
  },
  mobile: {
    hasKey: true,
    load: async () => (await import("@fieldmesh/mobile-client")).createMobileClient,
  },
};

/** A client, and its address without password and query. */
export interface Connection {
  readonly client: Clients[keyof Clients];
  readonly address: string;
}

/** How clients are created. */
export interface ClientSettings {
  readonly env: Context["env"];
  readonly profile: () => Promise<UsedProfile | undefined>;
  readonly sandbox: (() => Promise<Sandbox<Clock>>) | undefined;
  /** Returns the services of the sandbox that the environment names; `undefined` if it names none. */
  readonly named: () => Promise<NamedServices | undefined>;
  /** `false` turns the observed rules off; `true` leaves them to the client. */
  readonly observedRules: boolean;
}

/** Creates a client for the sandbox, the sandbox that the environment names, or an address and key: the first that is given. */
export async function createClient(
  service: keyof Clients,
  { env, profile, sandbox, named, observedRules }: ClientSettings,
): Promise<Connection> {
  // Each client has its own default.
  const rules = observedRules ? {} : { observedRules };
  const create = await services[service].load();
  if (sandbox !== undefined) {
    const all = await sandbox();
    const { baseUrl, fetch } = all[service];
    const apiKey = service === "mobile" ? all.mobile.apiKey : all.apiKey;
    return { client: create({ ...rules, baseUrl, fetch, apiKey }), address: baseUrl };
  }
  const running = (await named())?.[service];
  if (running !== undefined) {
    const { baseUrl, apiKey = "" } = running;
    return { client: create({ ...rules, baseUrl, apiKey }), address: baseUrl };
  }
  const { url, key, words } = await settingsOf(service, env, profile);
  try {
    return { client: create({ ...rules, baseUrl: url, apiKey: key ?? "" }), address: url };
  } catch (error) {
    // The client names the option and quotes no value.
    if (!(error instanceof TypeError)) throw error;
    throw new CliError(inWordsOfAShell(error.message, words));
  }
}

/** Returns the address and key of a service from one source: the environment if it has an address, otherwise the profile. */
async function settingsOf(
  service: keyof Clients,
  env: Context["env"],
  profile: ClientSettings["profile"],
): Promise<{ url: string; key: string | Secret | undefined; words: ShellWords }> {
  const { hasKey } = services[service];
  const own = env[urlName(service)];
  const used = await profile();
  const kept = used?.services[service];
  const url = own || kept?.url;
  if (url === undefined) {
    const advice =
      used?.chosenBy === "--profile"
        ? ` in profile ${used.name}: run "fieldmesh profile set ${used.name} ${service}"`
        : `: set ${urlName(service)}, run "fieldmesh profile set", or add --sandbox`;
    throw new CliError(`The address of the ${service} service is missing${advice}.`);
  }
  const key = own ? env[keyName(service)] || undefined : kept?.key;
  if (hasKey && key === undefined)
    throw new CliError(
      `The key of the ${service} service is missing: set ${keyName(service)} or run "fieldmesh profile set".`,
    );
  const words = own
    ? { url: urlName(service), key: keyName(service) }
    : { url: `The ${service} address of the profile`, key: `The ${service} key of the profile` };
  return { url, key: hasKey ? key : undefined, words };
}

/** Returns what sets the address of a service, by precedence: the first is used, and overrides the others. */
export async function sourcesOf(
  service: keyof Clients,
  { env, profile, sandbox, isProfileNamed }: ClientSettings & { readonly isProfileNamed: boolean },
): Promise<readonly string[]> {
  // The client that needs a profile says why it cannot be read. With a sandbox, none does.
  const used = await profile().catch(() => undefined);
  const kept =
    used?.services[service] === undefined ? [] : [`profile ${used.name} (${used.chosenBy})`];
  const variables = [SANDBOX_VARIABLE, urlName(service)].filter((name) => env[name]);
  return [
    ...(sandbox === undefined ? [] : ["--sandbox"]),
    ...(isProfileNamed ? kept.flatMap((name) => [name, ...variables]) : [...variables, ...kept]),
  ];
}

/** The environment variable of a service's address. */
export function urlName(service: keyof Clients): string {
  return `${service.toUpperCase()}_URL`;
}

/** The environment variable of a service's key. */
export function keyName(service: keyof Clients): string {
  return `${service.toUpperCase()}_KEY`;
}
