import {
  decryptText,
  encryptText,
  isRecord,
  isSecret,
  recordOf,
  stringifyJson,
} from "@fieldmesh/core/internal";
import { showName } from "../events/show-name.ts";
import type { EventEnvelope } from "../events/envelope.ts";
import { parseEvent } from "../parse/parse-event.ts";
import { codesOf, hideRepeated } from "../parse/codes.ts";
import type { Payloads } from "../stores/store-options.ts";

export interface KeptBody {
  readonly body: unknown;
  readonly isComplete: boolean;
}

/**
 * Encodes an event for a store. `source` is the body of a delivery, or an event. The built-in parser finds the secrets in it,
 * because a user's schema may have renamed or revealed them.
 */
export async function encodePayload(
  payloads: Payloads,
  id: string,
  source: unknown,
): Promise<string> {
  const event = parseEvent(source, { validation: "off" });
  if (payloads === "withoutSecrets") return stringifyJson(withoutCodes(event));
  const whole = stringifyJson(event, { reveal: true });
  return ENCRYPTED + (await encryptText(payloads, nameOf(id), whole));
}

/**
 * Decodes a stored payload. Rejects with an Error that says what to do if the key is missing or another one, and, with a key, for
 * a payload that is not encrypted: anyone who can write to the store could have made it.
 */
export async function decodePayload(
  payloads: Payloads | undefined,
  id: string,
  payload: string,
): Promise<KeptBody> {
  const isEncrypted = payload.startsWith(ENCRYPTED);
  if (payloads === undefined || payloads === "withoutSecrets") {
    if (!isEncrypted) return { body: payload, isComplete: false };
    throw new Error(
      `The payload of ${showName(id)} is encrypted. Pass its key as payload of the store.`,
    );
  }
  if (!isEncrypted)
    throw new Error(
      `The payload of ${showName(id)} is not encrypted, although payload of the store is a key: this receiver has not stored it. Find out who did. If it is from the time before the key, run it with payload: "withoutSecrets".`,
    );
  const encrypted = payload.slice(ENCRYPTED.length);
  const body = await decryptText(payloads, nameOf(id), encrypted).catch(() => {
    throw new Error(
      `The payload of ${showName(id)} cannot be decrypted. Check that payload has the key that encrypted it.`,
    );
  });
  return { body, isComplete: true };
}

/** With the id, so that the payload of one event cannot replace that of another, and with a word, for jobs under the same key. */
function nameOf(id: string): string {
  return `event ${id}`;
}

const ENCRYPTED = "aes-gcm:";

/** Removes the codes, also where another field repeats one. Keeps what names the event, and its time, which orders it. */
function withoutCodes(event: EventEnvelope): unknown {
  const { id, type, created_at, ...rest } = event;
  return { id, type, created_at, ...recordOf(hideRepeated(withoutSecrets(rest), codesOf(event))) };
}

/** A list keeps the places of its other items. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item) => (isSecret(item) ? null : withoutSecrets(item)));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, member]) => !isSecret(member));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutSecrets(member)]));
}
