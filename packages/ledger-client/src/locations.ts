import { data, endpoint, type Methods } from "@fieldmesh/http/internal";
import { locationInput } from "./fields.ts";
import { Location } from "./location.ts";

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
  }),
};

/** The street, city, state and country of hexagonal cells. */
export interface Locations extends Methods<typeof locations> {}
