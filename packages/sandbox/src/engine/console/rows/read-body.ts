import { isRecord } from "@fieldmesh/core/internal";
import type { Target } from "../../serve/router.ts";

/**
 * Reads a body as the console does. `devices` is the bulk form, whatever else the body has. In a new record, `null` is a field that
 * was left out, so a record may be sent back as it came.
 */
export function readBody({ method, path, body }: Target): unknown {
  if (method !== "POST" || !isRecord(body)) return body;
  if (!/^\/api\/v1\/devices\/?$/.test(path) || !("devices" in body)) return withoutNulls(body);
  const { devices } = body;
  return { devices: Array.isArray(devices) ? devices.map(withoutNulls) : devices };
}

function withoutNulls(record: unknown): unknown {
  if (!isRecord(record)) return record;
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
