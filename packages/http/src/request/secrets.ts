import { shownAddresses } from "@fieldmesh/core/internal";
import { createSecretCheck, type HoldsSecret } from "@fieldmesh/core/internal/schema";
import { sensitiveValues } from "../wire/headers.ts";
import type { WireRequest } from "./write-request.ts";

/** The part of a call that holds its secrets. */
export interface SecretHolder {
  readonly request: Pick<WireRequest, "redactInput">;
  readonly headers: Headers;
  /** Every key that the call has sent. */
  readonly keys: ReadonlySet<string>;
}

const checks = new WeakMap<SecretHolder, { keys: number; holdsSecret: HoldsSecret }>();

/**
 * Returns the check for the secrets of a call: every key that was sent, every secret, personal or undeclared value of the input,
 * the headers with a credential, and user name and password in a URL. Everything from a server or a custom fetch passes this
 * check before it reaches a message, a field, a hook or a log.
 */
export function secretCheckOf(call: SecretHolder): HoldsSecret {
  const made = checks.get(call);
  // A function may have returned a new key since.
  if (made?.keys === call.keys.size) return made.holdsSecret;
  const holdsSecret = createSecretCheck(secretsOf(call));
  checks.set(call, { keys: call.keys.size, holdsSecret });
  return holdsSecret;
}

function secretsOf({ request, keys, headers }: SecretHolder): string[] {
  const secrets = [...keys, ...sensitiveValues(headers)];
  request.redactInput((text, why) => {
    if (why === "sensitive" || text.length >= SHORTEST_UNDECLARED) secrets.push(text);
  });
  return [...secrets, ...secrets.flatMap(partsOfAddresses)];
}

// A shorter one, such as a page number, would hide every date and length.
const SHORTEST_UNDECLARED = 4;

/** Returns the user name and the password of each URL in a string. */
function partsOfAddresses(text: string): string[] {
  const parts: string[] = [];
  shownAddresses(text, (part) => parts.push(part));
  return parts;
}
