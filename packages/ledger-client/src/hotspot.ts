import * as z from "zod";
import { openEnum, record } from "@fieldmesh/core/schema";

const geocodeFields = record({
  short_street: z.string().nullish(),
  short_city: z.string().nullish(),
  short_state: z.string().nullish(),
  short_country: z.string().nullish(),
  long_street: z.string().nullish(),
  long_city: z.string().nullish(),
  long_state: z.string().nullish(),
  long_country: z.string().nullish(),
  city_id: z.string().nullish(),
});

const statusFields = record({
  online: openEnum("online", "offline").nullish(),
  height: z.int().nullish(),
  timestamp: z.string().nullish(),
  listen_addrs: z.array(z.string()).nullish(),
});

const hotspotFields = record({
  address: z.string().nullish(),
  name: z.string().nullish(),
  mode: openEnum("full", "light", "dataonly").nullish(),
  owner: z.string().nullish(),
  payer: z.string().nullish(),
  /** The index of a hexagonal cell; absent until a location is asserted. */
  location: z.string().nullish(),
  location_hex: z.string().nullish(),
  lat: z.number().nullish(),
  lng: z.number().nullish(),
  elevation: z.number().nullish(),
  gain: z.number().nullish(),
  geocode: geocodeFields.nullish(),
  status: statusFields.nullish(),
  nonce: z.int().nullish(),
  block: z.int().nullish(),
  block_added: z.int().nullish(),
  timestamp_added: z.string().nullish(),
  last_change_block: z.int().nullish(),
  last_poc_challenge: z.int().nullish(),
  reward_scale: z.number().nullish(),
  /** In older deployments. */
  score: z.number().nullish(),
});

/** A hotspot. The published spec shows no field of it; these are of running deployments. */
export interface Hotspot extends z.output<typeof hotspotFields> {}
export const Hotspot: z.ZodType<Hotspot, z.input<typeof hotspotFields>> = hotspotFields;
