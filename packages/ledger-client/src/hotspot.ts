import * as z from "zod/mini";
import { openEnum, record, type SchemaOf } from "@fieldmesh/core/schema";

const geocodeFields = record({
  short_street: z.nullish(z.string()),
  short_city: z.nullish(z.string()),
  short_state: z.nullish(z.string()),
  short_country: z.nullish(z.string()),
  long_street: z.nullish(z.string()),
  long_city: z.nullish(z.string()),
  long_state: z.nullish(z.string()),
  long_country: z.nullish(z.string()),
  city_id: z.nullish(z.string()),
});

const statusFields = record({
  online: z.nullish(openEnum("online", "offline")),
  height: z.nullish(z.int()),
  timestamp: z.nullish(z.string()),
  listen_addrs: z.nullish(z.array(z.string())),
});

const hotspotFields = record({
  /** What names the hotspot; a record without it is drift. */
  address: z.string(),
  name: z.nullish(z.string()),
  mode: z.nullish(openEnum("full", "light", "dataonly")),
  owner: z.nullish(z.string()),
  payer: z.nullish(z.string()),
  /** The index of a hexagonal cell; absent until a location is asserted. */
  location: z.nullish(z.string()),
  location_hex: z.nullish(z.string()),
  lat: z.nullish(z.number()),
  lng: z.nullish(z.number()),
  elevation: z.nullish(z.number()),
  gain: z.nullish(z.number()),
  geocode: z.nullish(geocodeFields),
  status: z.nullish(statusFields),
  nonce: z.nullish(z.int()),
  block: z.nullish(z.int()),
  block_added: z.nullish(z.int()),
  timestamp_added: z.nullish(z.string()),
  last_change_block: z.nullish(z.int()),
  last_poc_challenge: z.nullish(z.int()),
  reward_scale: z.nullish(z.number()),
  /** In older deployments only (observed). */
  score: z.nullish(z.number()),
});

/** A hotspot. Its fields are (observed). */
export interface Hotspot extends z.output<typeof hotspotFields> {}
export const Hotspot: SchemaOf<Hotspot, typeof hotspotFields> = hotspotFields;
