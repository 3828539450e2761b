import { listItems } from "./message.ts";
import type { HeaderProblem, Scheme, SignedHeaders } from "./scheme.ts";

const HEADER = "platform-signature";
/** Until the year 33658, and still a safe integer. */
const PREFIX = /^\d{1,12}\.$/;

/**
 * The scheme of the mobile service, and the default: `Platform-Signature: t=<unix seconds>,v1=<lower-case hex>` (observed).
 *
 * The signed message is `t` as it is in the header, a dot, and the raw body. The key is the whole secret, including its
 * `whsec_`. Several `v1` are accepted. Other items are ignored, and so are blanks around commas. In a header that was sent twice,
 * with different `t`, each `v1` belongs to the `t` before it.
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
  const early: string[] = [];
  const byTime = new Map<string, string[]>();
  let current = early;
  for (const item of listItems(header)) {
    const [name, value] = item.split(/=(.*)/s);
    if (value === undefined) return "header_malformed";
    if (name === "v1") current.push(value);
    if (name === "t") byTime.set(value, (current = byTime.get(value) ?? []));
  }
  // The newer one first: if it matches, its age decides.
  const times = [...byTime.keys()].sort((one, other) => Number(other) - Number(one));
  const parts = times.map((time) => ({
    prefix: `${time}.`,
    signatures: [...early, ...(byTime.get(time) ?? [])],
    timestamp: Number(time),
  }));
  // Two times are two headers that were joined. If one has no signature, or one precedes both, it is unclear which was signed.
  const isClear = times.length === 1 || (times.length === 2 && early.length === 0);
  const isReadable = parts.every(
    ({ prefix, signatures }) => PREFIX.test(prefix) && signatures.length > 0,
  );
  const [first, second] = parts;
  return first && isClear && isReadable ? { ...first, second } : "header_malformed";
}
