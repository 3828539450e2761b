import { mistake } from "@fieldmesh/core/internal";
import { listItems } from "./message.ts";
import type { Scheme } from "./scheme.ts";

/** In a list that is separated by blanks, and by commas if the header was sent twice. */
const SIGNATURE = /(?:^|[ \t,])v1[ \t]*,[ \t]*([^ \t,]+)/g;
const TIMESTAMP = /^\d{1,12}$/;
/** Base64 with its padding, and nothing else: no blanks, no URL-safe letters. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The scheme of the Standard Webhooks specification, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 *
 * The key is the secret after its optional `whsec_`, decoded from base64. Several `v1` signatures are accepted, and headers that
 * were sent twice with one id and time. Signatures of other versions, such as the asymmetric `v1a`, are ignored.
 */
export const standardWebhooks: Scheme = {
  name: "standard-webhooks",
  encoding: "base64",
  toKey,
  read: (header) => {
    const id = once(header("webhook-id"));
    const timestamp = once(header("webhook-timestamp"));
    const signature = header("webhook-signature");
    if (id === undefined || timestamp === undefined || signature === undefined)
      return "header_missing";
    const signatures = [...signature.matchAll(SIGNATURE)].map(([, base64 = ""]) => base64);
    if (id === "" || !TIMESTAMP.test(timestamp) || signatures.length === 0)
      return "header_malformed";
    return { prefix: `${id}.${timestamp}.`, signatures, timestamp: Number(timestamp), id };
  },
  write: ({ id, timestamp }) => ({
    prefix: `${id}.${timestamp}.`,
    headers: (signature) => ({
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": `v1,${signature}`,
    }),
  }),
};

/** Returns the value of a header that may have been sent twice with one value. */
function once(value: string | undefined): string | undefined {
  const [first, ...others] = listItems(value ?? "");
  return value === undefined || others.some((other) => other !== first) ? value : first;
}

function toKey(secret: string): Uint8Array {
  const base64 = secret.replace(/^whsec_/, "");
  if (base64 === "" || !BASE64.test(base64))
    throw mistake(
      "A signing secret of Standard Webhooks is base64, usually after whsec_, and this one is not: copy the whole secret again.",
    );
  return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
}
