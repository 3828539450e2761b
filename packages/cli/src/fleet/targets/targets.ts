import { chirpstack } from "./chirpstack.ts";
import { loadChirpStack } from "./load-chirpstack.ts";
import type { Target } from "./target.ts";
import type { DeviceSettings } from "./target-mapping.ts";
import type { ServerOptions, TargetServer } from "./target-server.ts";
import { thingsStack } from "./things-stack.ts";

/** A kind of network server. */
export interface NetworkServer {
  readonly title: string;
  readonly target: Target;
  /** What each device needs from the mapping file where a server is written to. */
  readonly required: readonly (keyof DeviceSettings)[];
  /** The environment variables of its address and key. */
  readonly url: string;
  readonly key: string;
  /** Loads what talks to it, and returns the function that opens it. */
  readonly load: () => Promise<(options: ServerOptions) => TargetServer>;
}

const TARGETS: Readonly<Record<"chirpstack" | "things-stack", NetworkServer>> = {
  chirpstack: {
    title: "ChirpStack",
    target: chirpstack,
    required: chirpstack.required,
    url: "CHIRPSTACK_URL",
    key: "CHIRPSTACK_KEY",
    load: loadChirpStack,
  },
  "things-stack": {
    title: "The Things Stack",
    target: thingsStack,
    required: ["application_id", ...thingsStack.required],
    url: "THINGS_STACK_URL",
    key: "THINGS_STACK_KEY",
    load: async () => (await import("./things-stack-server.ts")).openThingsStack,
  },
};

/** Returns the network server of `--target`, which the program has checked. */
export function targetOf(name: string | undefined): NetworkServer {
  return TARGETS[name as keyof typeof TARGETS];
}
