import * as z from "@fieldmesh/core/internal/zod";
import { record, seen, type SchemaOf } from "@fieldmesh/core/internal/schema";

// The spec says that all are strings.
const name = seen(z.nullable(z.string()));

const locationFields = record({
  /** The index of the hexagonal cell. */
  location: z.string(),
  /** The id of the city; it may be `null` (observed). The spec says nothing more. */
  city_id: name,
  /** The city in full; it may be `null` (observed). */
  long_city: name,
  /** The country in full; it may be `null` (observed). */
  long_country: name,
  /** The state in full; it may be `null` (observed). */
  long_state: name,
  /** The street in full; it may be `null` (observed). */
  long_street: name,
  /** The city, abbreviated; it may be `null` (observed). */
  short_city: name,
  /** The country, abbreviated; it may be `null` (observed). */
  short_country: name,
  /** The state, abbreviated; it may be `null` (observed). */
  short_state: name,
  /** The street, abbreviated; it may be `null` (observed). */
  short_street: name,
});

/** The street, city, state and country of a hexagonal cell. */
export interface Location extends z.output<typeof locationFields> {}
export const Location: SchemaOf<Location, typeof locationFields> = locationFields;
