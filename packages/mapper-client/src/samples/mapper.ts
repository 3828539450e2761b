import type { Samples } from "@fieldmesh/http/internal";
import type { mapper as rows } from "../mapper.ts";
import { networkServerUplink } from "./records.ts";

/** The examples of the endpoints of mapper, in wire format. */
export const mapper: Samples<typeof rows> = {
  ingest: {
    input: networkServerUplink,
    output: {
      status: "success",
      uplink: { id: "7f3a" },
      hotspots: [{ name: "calm-teal-heron" }],
    },
  },
};
