import * as z from "zod/mini";
import { record } from "@fieldmesh/core/schema";
import { endpoint, type Methods } from "@fieldmesh/http";
import { networkServerUplink } from "./samples.ts";
import { UplinkSubmission } from "./submission.ts";

const resultFields = record({
  status: z.literal("success"),
  /** The map's own record of the uplink, where it answers with one; the published spec shows text only. */
  uplink: z.optional(z.unknown()),
  /** The map's own records of the hotspots that heard it. */
  hotspots: z.optional(z.array(z.unknown())),
});

/** What the map answers to an uplink that it has taken. */
export interface IngestResult extends z.output<typeof resultFields> {}

type WireAnswer = "Success" | z.input<typeof resultFields>;

// By the published spec the answer is text, in a running deployment it is a record.
const answer = z.codec(
  z.custom<WireAnswer>(isAnswer, "is neither Success nor a record"),
  resultFields,
  {
    decode: (value) => (typeof value === "string" ? { status: "success" as const } : value),
    encode: (value) =>
      value.uplink === undefined && value.hotspots === undefined ? "Success" : value,
  },
) as z.core.$ZodType<IngestResult, WireAnswer>;

function isAnswer(value: unknown): boolean {
  return typeof value === "string" ? /^\s*success\s*$/i.test(value) : typeof value === "object";
}

export const mapper = {
  /**
   * Submit an uplink with the position of its device. **It is shown on a public map in real time.**
   *
   * Takes both forms: the console's standard uplink with the fields in `decoded.payload`, and that of a network server
   * with the fields in `object`. What the map would not take is an InputError before anything is sent, with the path
   * of each problem; `check` tells the same without sending. A submission is not idempotent: after an error whose
   * `outcome` is `unknown` it may be on the map, and sending it again is your choice. Running deployments take 60 a
   * minute from one address.
   *
   * @example
   * ```ts
   * const { status } = await client.ingest(uplink);
   * ```
   */
  ingest: endpoint("POST /api/v1/ingest/uplink", {
    body: UplinkSubmission,
    result: answer,
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
