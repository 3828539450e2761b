import * as z from "@fieldmesh/core/internal/zod";
import { openEnum, record, type SchemaOf } from "@fieldmesh/core/internal/schema";

const geocodeFields = record({
  /** The street, abbreviated. */
  short_street: z.nullish(z.string()),
  /** The city, abbreviated. */
  short_city: z.nullish(z.string()),
  /** The state, abbreviated. */
  short_state: z.nullish(z.string()),
  /** The country, abbreviated. */
  short_country: z.nullish(z.string()),
  /** The street in full. */
  long_street: z.nullish(z.string()),
  /** The city in full. */
  long_city: z.nullish(z.string()),
  /** The state in full. */
  long_state: z.nullish(z.string()),
  /** The country in full. */
  long_country: z.nullish(z.string()),
  /** The id of the city. The spec says nothing more. */
  city_id: z.nullish(z.string()),
});

const statusFields = record({
  /** `online` or `offline` (observed). */
  online: z.nullish(openEnum("online", "offline")),
  /** A block height. Not documented. */
  height: z.nullish(z.int()),
  /** The time of the status, as ISO 8601. */
  timestamp: z.nullish(z.string()),
  /** A list of addresses. Not documented. */
  listen_addrs: z.nullish(z.array(z.string())),
});

const hotspotFields = record({
  /** The address of the hotspot. */
  address: z.string(),
  /** The name of the hotspot. */
  name: z.nullish(z.string()),
  /** The mode: `full`, `light` or `dataonly` (observed). */
  mode: z.nullish(openEnum("full", "light", "dataonly")),
  /** The owner: an account address. */
  owner: z.nullish(z.string()),
  /** The payer: an account address. Not documented. */
  payer: z.nullish(z.string()),
  /** The index of a hexagonal cell; absent until a location is asserted. */
  location: z.nullish(z.string()),
  /** The index of a hexagonal cell. Not documented. */
  location_hex: z.nullish(z.string()),
  /** Latitude in decimal degrees; absent until a location is asserted. */
  lat: z.nullish(z.number()),
  /** Longitude in decimal degrees; absent until a location is asserted. */
  lng: z.nullish(z.number()),
  /** A number. The unit is not documented. */
  elevation: z.nullish(z.number()),
  /** A number. The unit is not documented. */
  gain: z.nullish(z.number()),
  /** The street, city, state and country of the location. */
  geocode: z.nullish(geocodeFields),
  /** The status of the hotspot. */
  status: z.nullish(statusFields),
  /** A nonce. Not documented. */
  nonce: z.nullish(z.int()),
  /** The block height of the record. */
  block: z.nullish(z.int()),
  /** The height of the block that added it. */
  block_added: z.nullish(z.int()),
  /** When it was added, as ISO 8601. */
  timestamp_added: z.nullish(z.string()),
  /** The height of its last change. */
  last_change_block: z.nullish(z.int()),
  /** The height of its last challenge. Not documented. */
  last_poc_challenge: z.nullish(z.int()),
  /** A number. Not documented. */
  reward_scale: z.nullish(z.number()),
  /** The score of the hotspot. In older deployments only (observed). */
  score: z.nullish(z.number()),
});

/** A hotspot. Its fields are (observed). */
export interface Hotspot extends z.output<typeof hotspotFields> {}
export const Hotspot: SchemaOf<Hotspot, typeof hotspotFields> = hotspotFields;
