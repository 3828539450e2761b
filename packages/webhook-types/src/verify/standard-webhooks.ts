import { mistake } from "@fieldmesh/core/internal";
import type { Scheme } from "./scheme.ts";

const TIMESTAMP = /^\d{1,12}$/;
/** Base64 with its padding, and nothing else: no blanks, no URL-safe letters. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The scheme of the Standard Webhooks specification, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 *
 * The key is the secret after its optional `whsec_`, decoded from base64. Several `v1` signatures are accepted. Those of other
 * versions, such as the asymmetric `v1a`, are ignored.
 */
export const standardWebhooks: Scheme = {
  name: "standard-webhooks",
  encoding: "base64",
  toKey,
  read: (header) => {
    const id = header("webhook-id");
    const timestamp = header("webhook-timestamp");
    const signature = header("webhook-signature");
    if (id === undefined || timestamp === undefined || signature === undefined)
      return "header_missing";
    const signatures = signature
      .split(" ")
      .filter((item) => item.startsWith("v1,"))
      .map((item) => item.slice("v1,".length));
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

function toKey(secret: string): Uint8Array {
  const base64 = secret.replace(/^whsec_/, "");
  if (base64 === "" || !BASE64.test(base64))
    throw mistake(
      "A signing secret of Standard Webhooks is base64, usually after whsec_, and this one is not: copy the whole secret again.",
    );
  return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
}
