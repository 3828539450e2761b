/** What the map does with an uplink: accept it, reject it with reasons, or fail. */
export type Verdict =
  | { readonly kind: "taken"; readonly position: Readonly<Record<string, number>> }
  | { readonly kind: "refused"; readonly reasons: readonly string[] }
  | { readonly kind: "broken" };

type Json = Readonly<Record<string, unknown>>;

const LIMITS: readonly [field: string, least: number, most: number][] = [
  ["latitude", -90, 90],
  ["longitude", -180, 180],
  ["altitude", -500, Infinity],
  ["accuracy", 0, Infinity],
];

/** Applies the rules of running deployments, independently of the client. */
export function judge(uplink: Json): Verdict {
  // If both forms are present, this one counts.
  const isNetworkServer = uplink["object"] !== undefined && uplink["object"] !== null;
  const payload = isNetworkServer ? uplink["object"] : json(uplink["decoded"])["payload"];
  const reasons = LIMITS.flatMap(([field, least, most]) => {
    const value = json(payload)[field];
    if (value === undefined || value === null) return [`${field} is required`];
    if (typeof value !== "number") return [`${field} must be a number`];
    if (field === "altitude" && !Number.isInteger(value)) return [`${field} must be an integer`];
    const isPlace = most !== Infinity;
    return value < least || value > most || (isPlace && value === 0)
      ? [`${field} is out of range`]
      : [];
  });
  if (reasons.length > 0) return { kind: "refused", reasons };
  // Only the fields that are shown: a decoder may return more.
  const position = Object.fromEntries(
    LIMITS.map(([field]) => [field, json(payload)[field] as number]),
  );
  return (isNetworkServer ? readsGateways(uplink) : readsHotspots(uplink))
    ? { kind: "taken", position }
    : { kind: "broken" };
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
