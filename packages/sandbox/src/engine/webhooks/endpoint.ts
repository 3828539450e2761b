import { isLoopback, isSecret, Secret, mistake } from "@fieldmesh/core/internal";
import { validateEnabledEvents } from "@fieldmesh/webhook-types/subscription";
import type { Random } from "../random.ts";

/** The input for a webhook endpoint. */
export interface EndpointOptions {
  /** The target of deliveries. It must be on this machine, unless you set `fetch`. */
  readonly url: string;
  /** Types, families such as `sim.*`, or `*`. @default ["*"] */
  readonly enabled_events?: readonly string[] | undefined;
  /** The environment whose events it receives. @default false */
  readonly livemode?: boolean | undefined;
  /** The signing secret. @default a new one */
  readonly secret?: Secret | string | undefined;
  /** Receives the deliveries instead of the network, such as a receiver in this process. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** A registered webhook endpoint. */
export interface EndpointRecord {
  readonly id: string;
  readonly url: string;
  readonly enabled_events: readonly string[];
  readonly livemode: boolean;
  /** All of them sign, the newest first. */
  readonly secrets: readonly Secret[];
}

/** An endpoint with internal data of the sandbox. */
export interface Endpoint extends EndpointRecord {
  secrets: readonly Secret[];
}

/** Separate from the record, so that printing the record only shows data. */
export type Send = (request: Request) => Promise<Response>;

/** Checks the options and creates the record. Throws a TypeError for invalid options. */
export function createEndpoint(
  options: EndpointOptions,
  random: Random,
): [Endpoint, Send | undefined] {
  const { url, enabled_events = ["*"], livemode = false, secret = newSecret(random) } = options;
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw mistake("The url of a webhook endpoint must be an http or https URL.");
  const text: unknown = isSecret(secret) ? secret.reveal() : secret;
  if (typeof text !== "string" || text.trim() === "")
    throw mistake("The secret of a webhook endpoint must be a non-empty string.");
  if (options.fetch === undefined && !isLoopback(new URL(url).hostname))
    throw mistake(
      "The sandbox delivers to this machine only: use 127.0.0.1 or localhost, or pass fetch.",
    );
  const [problem] = validateEnabledEvents(enabled_events);
  if (enabled_events.length === 0) throw mistake("enabled_events must not be empty.");
  if (problem !== undefined) throw mistake(`enabled_events: ${problem.message}`);
  const endpoint = {
    id: `we_${random.hex(12).toLowerCase()}`,
    url,
    enabled_events: [...enabled_events],
    livemode,
    secrets: [typeof secret === "string" ? new Secret(secret) : secret],
  };
  return [endpoint, options.fetch];
}

export function newSecret(random: Random): Secret {
  return new Secret(`whsec_${random.hex(32).toLowerCase()}`);
}
