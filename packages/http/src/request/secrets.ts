import { createSecretCheck, type HoldsSecret } from "@fieldmesh/core/schema";
import { sensitiveValues } from "./headers.ts";
import type { PreparedCall } from "./prepared-call.ts";

const checks = new WeakMap<PreparedCall, { keys: number; holdsSecret: HoldsSecret }>();

/**
 * Returns the check for the secrets of a call: every key that was sent, every secret or personal value of the input, what nobody
 * declares in it, the headers that carry a credential, and user and password of a URL. Whatever a server or a custom fetch says passes it before it reaches a
 * message, a field, a hook or a log.
 */
export function secretCheckOf(call: PreparedCall): HoldsSecret {
  const made = checks.get(call);
  // A function may have returned another key in the meantime.
  if (made?.keys === call.keys.size) return made.holdsSecret;
  const holdsSecret = createSecretCheck(secretsOf(call));
  checks.set(call, { keys: call.keys.size, holdsSecret });
  return holdsSecret;
}

function secretsOf({ request, keys, headers }: PreparedCall): string[] {
  const secrets = [...keys, ...sensitiveValues(headers)];
  const shown = request.redactInput((text, why) => {
    if (why === "sensitive" || text.length >= SHORTEST_UNDECLARED) secrets.push(text);
  });
  return [...secrets, ...[...secrets, ...stringsIn(shown)].flatMap(userInfo)];
}

// A shorter one, such as the number of a page, would hide every date and length.
const SHORTEST_UNDECLARED = 4;

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** The user and the password of each URL in a string. */
function userInfo(text: string): string[] {
  return [...text.matchAll(/\/\/([^/?#@\s]+)@/g)].flatMap(([, user = ""]) => user.split(":"));
}
