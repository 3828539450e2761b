import type { Sandbox } from "@fieldmesh/sandbox";
import type { Clock } from "@fieldmesh/core";
import { type NamedServices, readNamedServices } from "@fieldmesh/sandbox/internal";
import { type ClientSettings, type Connection, createClient, sourcesOf } from "./clients.ts";
import type { Clients, Context } from "../context.ts";
import type { UsedProfile } from "./profile.ts";

export interface ContextOptions extends Omit<
  Context,
  "observedRules" | "client" | "address" | "sources"
> {
  /** Default: `true`. */
  readonly observedRules?: boolean;
  /** The profile to use. It is read once, when it is first needed. */
  readonly profile: () => Promise<UsedProfile | undefined>;
  /** Whether the command line names the profile. If so, the environment is ignored. */
  readonly isProfileNamed?: boolean;
  /** Creates the sandbox that all clients use instead of the addresses of the profile. */
  readonly sandbox: (() => Promise<Sandbox<Clock>>) | undefined;
}

/** Creates what a command works with. A client is created once, when a command first needs it. */
export function createContext({
  profile,
  isProfileNamed = false,
  sandbox,
  observedRules = true,
  ...members
}: ContextOptions): Context {
  const env = isProfileNamed ? {} : members.env;
  const connections = new Map<keyof Clients, Promise<Connection>>();
  let started: Promise<Sandbox<Clock>> | undefined;
  let named: Promise<NamedServices | undefined> | undefined;
  let used: Promise<UsedProfile | undefined> | undefined;
  const settings: ClientSettings = {
    env,
    profile: () => (used ??= profile()),
    sandbox: sandbox && (() => (started ??= sandbox())),
    named: () => (named ??= readNamedServices(env, members.signal)),
    observedRules,
  };
  const connect = (service: keyof Clients): Promise<Connection> => {
    const found = connections.get(service) ?? createClient(service, settings);
    connections.set(service, found);
    return found;
  };
  return {
    ...members,
    observedRules,
    async client<Name extends keyof Clients>(service: Name): Promise<Clients[Name]> {
      return (await connect(service)).client as Clients[Name];
    },
    address: async (service) => (await connect(service)).address,
    // What a named profile overrides is in the environment.
    sources: (service) => sourcesOf(service, { ...settings, env: members.env, isProfileNamed }),
  };
}
