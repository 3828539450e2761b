import type { Sandbox } from "@fieldmesh/sandbox";
import type { Clock } from "@fieldmesh/core";
import { createClient } from "./clients.ts";
import type { Clients, Context } from "./context.ts";
import type { Output } from "./output/output.ts";
import type { Prompt } from "./output/prompt.ts";
import type { Profile } from "./settings/profile.ts";

export interface ContextOptions {
  readonly output: Output;
  readonly prompt: Prompt;
  readonly env: Context["env"];
  readonly signal: AbortSignal;
  readonly reveal: boolean;
  readonly yes: boolean;
  /** The profile to use; it is read when a client is created. */
  readonly profile: () => Promise<Profile | undefined>;
  /** Makes the sandbox that all clients use, instead of the addresses of the profile. */
  readonly sandbox: (() => Promise<Sandbox<Clock>>) | undefined;
}

/** Creates what a command works with. A client is created once, when a command first needs it. */
export function createContext({ profile, sandbox, ...members }: ContextOptions): Context {
  const clients = new Map<keyof Clients, Promise<Clients[keyof Clients]>>();
  let started: Promise<Sandbox<Clock>> | undefined;
  return {
    ...members,
    client<Name extends keyof Clients>(service: Name): Promise<Clients[Name]> {
      const found =
        clients.get(service) ??
        createClient(service, members.env, profile, sandbox && (() => (started ??= sandbox())));
      clients.set(service, found);
      return found as Promise<Clients[Name]>;
    },
  };
}
