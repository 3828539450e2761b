import { anything, isLoopback, isSecret, mistake, options, Secret } from "@fieldmesh/core/internal";
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

const readOptions = /* @__PURE__ */ options<EndpointOptions>("webhooks.register", {
  url: { required: anAddress },
  enabled_events: somePatterns,
  livemode: anything,
  secret: aSecret,
  fetch: anything,
});

/** Checks the options and creates the record. Throws a TypeError for invalid options. */
export function createEndpoint(
  given: EndpointOptions,
  random: Random,
): [Endpoint, Send | undefined] {
  const {
    url,
    enabled_events = ["*"],
    livemode = false,
    secret = newSecret(random),
    fetch,
  } = readOptions(given);
  if (fetch === undefined && !isLoopback(new URL(url).hostname))
    throw mistake(
      "The sandbox delivers to this machine only: use 127.0.0.1 or localhost, or pass fetch.",
    );
  const endpoint = {
    id: `we_${random.hex(12).toLowerCase()}`,
    url,
    enabled_events: [...enabled_events],
    livemode,
    secrets: [typeof secret === "string" ? new Secret(secret) : secret],
  };
  return [endpoint, fetch];
}

function anAddress(value: unknown): string {
  const url = URL.parse(value as string);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw mistake("The url of a webhook endpoint must be an http or https URL.");
  // fetch rejects one with a user.
  if (url.username !== "" || url.password !== "")
    throw mistake("The url of a webhook endpoint must have no user name and no password.");
  return value as string;
}

function somePatterns(value: unknown): readonly string[] {
  const patterns = value as readonly string[];
  const [problem] = validateEnabledEvents(patterns);
  if (patterns.length === 0) throw mistake("enabled_events must not be empty.");
  if (problem !== undefined) throw mistake(`enabled_events: ${problem.message}`);
  return patterns;
}

function aSecret(value: unknown): Secret | string {
  const text: unknown = isSecret(value) ? value.reveal() : value;
  if (typeof text === "string" && text.trim() !== "") return value as Secret | string;
  throw mistake("The secret of a webhook endpoint must be a non-empty string.");
}

export function newSecret(random: Random): Secret {
  return new Secret(`whsec_${random.hex(32).toLowerCase()}`);
}
