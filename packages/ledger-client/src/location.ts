import * as z from "@fieldmesh/core/internal/zod";
import { record, type SchemaOf } from "@fieldmesh/core/internal/schema";

// The spec says that all are strings. null was observed, such as for a street without a name.
const name = z.nullable(z.string());

const locationFields = record({
  /** The index of the hexagonal cell. */
  location: z.string(),
  /** The id of the city. The spec says nothing more. */
  city_id: name,
  /** The city in full. */
  long_city: name,
  /** The country in full. */
  long_country: name,
  /** The state in full. */
  long_state: name,
  /** The street in full. */
  long_street: name,
  /** The city, abbreviated. */
  short_city: name,
  /** The country, abbreviated. */
  short_country: name,
  /** The state, abbreviated. */
  short_state: name,
  /** The street, abbreviated. */
  short_street: name,
});

/** The street, city, state and country of a hexagonal cell. */
export interface Location extends z.output<typeof locationFields> {}
export const Location: SchemaOf<Location, typeof locationFields> = locationFields;
