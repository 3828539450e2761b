import * as z from "zod/mini";
import { record, type SchemaOf } from "@fieldmesh/core/schema";

// All are strings by the spec; null, as for a street without a name, was observed.
const name = z.nullable(z.string());

const locationFields = record({
  /** The index of the hexagonal cell. */
  location: z.string(),
  city_id: name,
  long_city: name,
  long_country: name,
  long_state: name,
  long_street: name,
  short_city: name,
  short_country: name,
  short_state: name,
  short_street: name,
});

/** Where a hexagonal cell is, in words. */
export interface Location extends z.output<typeof locationFields> {}
export const Location: SchemaOf<Location, typeof locationFields> = locationFields;
