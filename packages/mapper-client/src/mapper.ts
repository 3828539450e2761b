import * as z from "zod/mini";
import { record } from "@fieldmesh/core/schema";
import { endpoint, type Methods } from "@fieldmesh/http";
import { networkServerUplink } from "./samples.ts";
import { UplinkSubmission } from "./submission.ts";

const resultFields = record({
  status: z.literal("success"),
  /** The map's own record of the uplink, where it returns one; the published spec shows text only. */
  uplink: z.optional(z.unknown()),
  /** The map's own records of the hotspots that heard it. */
  hotspots: z.optional(z.array(z.unknown())),
});

/** The map's response to an uplink that it has accepted. */
export interface IngestResult extends z.output<typeof resultFields> {}

type WireResult = "Success" | z.input<typeof resultFields>;

// In the published spec the response is text, in a running deployment a record.
const resultSchema = z.codec(
  z.custom<WireResult>(isWireResult, "is neither Success nor a record"),
  resultFields,
  {
    decode: (value) => (typeof value === "string" ? { status: "success" as const } : value),
    encode: (value) =>
      value.uplink === undefined && value.hotspots === undefined ? "Success" : value,
  },
) as z.core.$ZodType<IngestResult, WireResult>;

function isWireResult(value: unknown): boolean {
  return typeof value === "string" ? /^\s*success\s*$/i.test(value) : typeof value === "object";
}

export const mapper = {
  /**
   * Submit an uplink with the position of its device. **It is shown on a public map in real time.**
   *
   * Accepts both forms: the console's standard uplink with the fields in `decoded.payload`, and that of a network server
   * with the fields in `object`. An uplink that the map would reject is an InputError before anything is sent, with the
   * path of each problem; `check` returns the same without sending. A submission is not idempotent: after an error whose
   * `outcome` is `unknown` it may be on the map, and you decide whether to resend it. Running deployments accept 60 a
   * minute from one address.
   *
   * @example
   * ```ts
   * const { status } = await client.ingest(uplink);
   * ```
   */
  ingest: endpoint("POST /api/v1/ingest/uplink", {
    body: UplinkSubmission,
    result: resultSchema,
    errors: { 400: "The uplink was not accepted" },
    sample: {
      input: networkServerUplink,
      output: {
        status: "success",
        uplink: { id: "7f3a" },
        hotspots: [{ name: "calm-teal-heron" }],
      },
    },
  }),
};

/** The methods of the map. */
export interface Mapper extends Methods<typeof mapper> {}
