/** What the map does with an uplink: accept it, reject it with reasons, or fail. */
export type Verdict =
  | { readonly kind: "taken"; readonly position: Readonly<Record<string, number>> }
  | { readonly kind: "rejected"; readonly reasons: readonly string[] }
  | { readonly kind: "broken" };

/** Applies the rules of a map to an uplink, independently of the client. */
export type Judge = (uplink: Json) => Verdict;

type Json = Readonly<Record<string, unknown>>;

const LIMITS: readonly [field: string, least: number, most: number][] = [
  ["latitude", -90, 90],
  ["longitude", -180, 180],
  ["altitude", -500, Infinity],
  ["accuracy", 0, Infinity],
];

/** How the map judges uplinks. */
export const judges = {
  /** The four fields are enough. They are read from the place where they are complete. */
  spec: (uplink) => {
    const [first, second] = [uplink["object"], json(uplink["decoded"])["payload"]].filter(
      (payload) => payload !== undefined && payload !== null,
    );
    const verdict = judgePosition(first);
    const other = second === undefined ? verdict : judgePosition(second);
    return verdict.kind === "taken" ? verdict : other;
  },
  /** No coordinate is exactly 0, `object` counts if it is present, and the message has everything that the server reads (observed). */
  observed: (uplink) => {
    const isNetworkServer = uplink["object"] !== undefined && uplink["object"] !== null;
    const payload = isNetworkServer ? uplink["object"] : json(uplink["decoded"])["payload"];
    const zeros = ["latitude", "longitude"].filter((field) => json(payload)[field] === 0);
    const verdict = judgePosition(payload);
    if (zeros.length > 0) {
      const reasons = verdict.kind === "rejected" ? verdict.reasons : [];
      return {
        kind: "rejected",
        reasons: [...reasons, ...zeros.map((field) => `${field} is out of range`)],
      };
    }
    if (verdict.kind !== "taken") return verdict;
    const isReadable = isNetworkServer ? readsGateways(uplink) : readsHotspots(uplink);
    return isReadable ? verdict : { kind: "broken" };
  },
} as const satisfies Readonly<Record<string, Judge>>;

function judgePosition(payload: unknown): Verdict {
  const fields = json(payload);
  const reasons = LIMITS.flatMap(([field, least, most]) => {
    const value = fields[field];
    if (value === undefined || value === null) return [`${field} is required`];
    if (typeof value !== "number") return [`${field} must be a number`];
    if (field === "altitude" && !Number.isInteger(value)) return [`${field} must be an integer`];
    return value < least || value > most ? [`${field} is out of range`] : [];
  });
  if (reasons.length > 0) return { kind: "rejected", reasons };
  // Only the fields that are shown: a decoder may return more.
  return {
    kind: "taken",
    position: Object.fromEntries(LIMITS.map(([field]) => [field, fields[field] as number])),
  };
}

function readsHotspots({ hotspots }: Json): boolean {
  return (
    list(hotspots).length > 0 &&
    list(hotspots).every((each) => typeof each["reported_at"] === "number")
  );
}

function readsGateways({ deviceInfo, rxInfo, txInfo }: Json): boolean {
  const lora = json(json(json(txInfo)["modulation"])["lora"]);
  return (
    typeof json(deviceInfo)["devEui"] === "string" &&
    typeof lora["spreadingFactor"] === "number" &&
    list(rxInfo).length > 0 &&
    list(rxInfo).every(({ time, metadata }) => {
      const { gateway_lat: lat, gateway_long: long } = json(metadata);
      return typeof time === "string" && [lat, long].every((each) => /\./.test(String(each)));
    })
  );
}

function json(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(json) : [];
}
