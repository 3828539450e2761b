import type { Readable } from "node:stream";
import type { ConsoleClient } from "@fieldmesh/console-client";
import type { LedgerClient } from "@fieldmesh/ledger-client";
import type { MapperClient } from "@fieldmesh/mapper-client";
import type { MobileClient } from "@fieldmesh/mobile-client";
import type { Output, Prompt } from "./output/output.ts";

/** What a command works with. Tests create their own. */
export interface Context {
  readonly output: Output;
  readonly prompt: Prompt;
  /** What a command reads for the file `-`. */
  readonly stdin: Readable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts on Ctrl-C. The command then saves its progress, says how to resume, and returns. */
  readonly signal: AbortSignal;
  /** Whether the output shows secrets and personal data. */
  readonly reveal: boolean;
  /** Whether the command writes without asking. */
  readonly yes: boolean;
  /** Whether the console is a sandbox of this command only. A trial writes nothing beside the file that it reads. */
  readonly isTrial: boolean;
  /** Whether inputs are checked against the rules that only running deployments have too (observed), where the client of a service does so. */
  readonly observedRules: boolean;
  /** Creates a client with the address and key of the profile. Loads only that service. */
  client<Name extends keyof Clients>(service: Name): Promise<Clients[Name]>;
  /** Returns the address that the client of a service calls. */
  address(service: keyof Clients): Promise<string>;
  /** Returns what sets that address, such as `CONSOLE_URL`: the first is used, and overrides the others. */
  sources(service: keyof Clients): Promise<readonly string[]>;
}

/** The client of each service. */
export interface Clients {
  readonly console: ConsoleClient;
  readonly ledger: LedgerClient;
  readonly mapper: MapperClient;
  readonly mobile: MobileClient;
}
