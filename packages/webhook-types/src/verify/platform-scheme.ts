import type { HeaderProblem, Scheme, SignedHeaders } from "./scheme.ts";

const HEADER = "platform-signature";
/** Until the year 33658, and still a safe integer. */
const TIMESTAMP = /^\d{1,12}$/;

/**
 * The scheme of the mobile service, and the default: `Platform-Signature: t=<unix seconds>,v1=<lower-case hex>` (observed).
 *
 * The signed message is `t` as it is in the header, a dot, and the raw body. The key is the whole secret, including its
 * `whsec_`. Several `v1` are accepted. Other items are ignored.
 */
export const platformScheme: Scheme = {
  name: "platform",
  encoding: "hex",
  toKey: (secret) => secret,
  read: (header) => {
    const value = header(HEADER);
    return value === undefined ? "header_missing" : parse(value);
  },
  write: ({ timestamp }) => ({
    prefix: `${timestamp}.`,
    headers: (signature) => ({ [HEADER]: `t=${timestamp},v1=${signature}` }),
  }),
};

function parse(header: string): SignedHeaders | HeaderProblem {
  const times: string[] = [];
  const signatures: string[] = [];
  for (const item of header.split(",")) {
    if (item.startsWith("v1=")) signatures.push(item.slice("v1=".length));
    else if (item.startsWith("t=")) times.push(item.slice("t=".length));
    else if (!item.includes("=")) return "header_malformed";
  }
  // Stryker disable next-line StringLiteral: Any default that is not a time is malformed.
  const [timestamp = ""] = times;
  // With two times, it is unclear which one was signed.
  if (times.length > 1 || !TIMESTAMP.test(timestamp) || signatures.length === 0)
    return "header_malformed";
  return { prefix: `${timestamp}.`, signatures, timestamp: Number(timestamp) };
}
