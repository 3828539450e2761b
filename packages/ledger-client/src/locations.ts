import { data, endpoint, type Methods } from "@fieldmesh/http";
import { locationInput } from "./fields.ts";
import { Location } from "./location.ts";
import { cell } from "./samples.ts";

/** The endpoints of locations, one row for each. The client makes the methods of `client.locations` from them. */
export const locations = {
  /**
   * Get the street, city, state and country of a hexagonal cell.
   *
   * @throws An {@link ApiError} with 404: Location not found (observed)
   * @throws A {@link CallError} for every other failure
   * @deprecated The published spec marks it as deprecated and names no replacement. The client calls it like any other, and it
   * may disappear.
   * @example
   * ```ts
   * const { long_city, long_country } = await client.locations.get({ location });
   * ```
   */
  get: endpoint("GET /v1/locations/:location", {
    path: {
      /** The index of the hexagonal cell. */
      location: locationInput,
    },
    result: data(Location),
    errors: { 404: "Location not found" },
    sample: {
      input: { location: cell },
      output: {
        data: {
          location: cell,
          city_id: "c2FuIGZyYW5jaXNjb2NhbGlmb3JuaWF1bml0ZWQgc3RhdGVz",
          long_city: "San Francisco",
          long_country: "United States",
          long_state: "California",
          long_street: "Folsom Street",
          short_city: "SF",
          short_country: "US",
          short_state: "CA",
          short_street: "Folsom St",
        },
      },
    },
  }),
};

/** The street, city, state and country of hexagonal cells. */
export interface Locations extends Methods<typeof locations> {}
