import type { Service } from "@fieldmesh/sandbox/internal/services";
import type { WriterOptions } from "./json-schema.ts";
import type { Json } from "./shapes.ts";

/** The rules of `check` for a position. They are code in the client, and not schemas. */
const RULES: Readonly<Record<string, Json>> = {
  latitude: { minimum: -90, maximum: 90, not: { const: 0 } },
  longitude: { minimum: -180, maximum: 180, not: { const: 0 } },
  altitude: { minimum: -500 },
  accuracy: { minimum: 0 },
};

/** The map requires a position in one of two places. The schemas of an uplink describe what other services put around it. */
const REQUIRED = new Set(["decoded", "payload", "object", ...Object.keys(RULES)]);

/** How the requests of a service are written: as the contract has them, or with the observed rules. */
export function optionsFor({ name }: Service, observedRules: boolean): WriterOptions {
  if (name !== "mapper") return {};
  return observedRules ? { rules: RULES } : { required: REQUIRED };
}
