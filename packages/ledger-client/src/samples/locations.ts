import type { Samples } from "@fieldmesh/http/internal";
import type { locations as rows } from "../locations.ts";
import { cell } from "./records.ts";

/** The examples of the endpoints of locations, in wire format. */
export const locations: Samples<typeof rows> = {
  get: {
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
};
