import * as z from "@fieldmesh/core/internal/zod";
import { isDrift, record, shown } from "@fieldmesh/core/internal/schema";
import { hotspot } from "./device-event.ts";
import { id } from "./fields.ts";

const bodyHotspotFields = record({
  ...hotspot,
  /** The spec states neither its meaning nor its unit. */
  hold_time: shown(z.int()),
  /** Epoch milliseconds. */
  reported_at: shown(z.int()),
  /** The spec shows no value. */
  status: shown(z.string()),
});

const uplinkBodyFields = record({
  /** The application EUI of the device. */
  app_eui: z.string(),
  /** The EUI of the device. */
  dev_eui: z.string(),
  /** The address of the device. The spec says nothing more. */
  devaddr: shown(z.string()),
  /** A counter. The spec says nothing more. */
  fcnt: z.int(),
  /** Each hotspot that heard the uplink. */
  hotspots: z.array(bodyHotspotFields),
  /** The id of the device: a UUID. */
  id: shown(id),
  /** Settings of the device as the console knows them. */
  metadata: shown(
    record({
      /** Whether LoRaWAN adaptive data rate (ADR) is allowed. The spec says nothing more. */
      adr_allowed: shown(z.boolean()),
      /** Whether the LoRaWAN channel list (CFList) is enabled. The spec says nothing more. */
      cf_list_enabled: shown(z.boolean()),
      /** The maximum number of copies of a packet that are bought (observed). */
      multi_buy: shown(z.int()),
      /** The id of the organization: a UUID. */
      organization_id: shown(id),
    }),
  ),
  /** The name of the device. */
  name: shown(z.string()),
  /** The payload. The spec states no encoding. */
  payload: z.string(),
  /** The size of the payload. The spec states no unit. */
  payload_size: z.int(),
  /** A port. The spec says nothing more. */
  port: z.int(),
  /** Epoch milliseconds. */
  reported_at: z.int(),
  /** The id of the device again: a UUID. */
  uuid: shown(id),
});

/** The body that the console sends to an integration for an uplink. */
export interface UplinkBody extends z.output<typeof uplinkBodyFields> {}

/**
 * Tells whether the `req.body` of an integration event is the documented uplink. The console replaces long bodies with a
 * sentence (observed).
 *
 * @example
 * ```ts
 * const bodies = events.filter(isIntegrationEvent).map((event) => event.data.req.body).filter(isUplinkBody);
 * ```
 */
export function isUplinkBody(body: unknown): body is UplinkBody {
  try {
    const { error } = uplinkBodyFields.safeParse(body);
    return error === undefined || error.issues.every((issue) => isDrift(uplinkBodyFields, issue));
  } catch {
    // A getter or a proxy in it throws.
    return false;
  }
}
