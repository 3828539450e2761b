import * as z from "@fieldmesh/core/internal/zod";
import { guess, record } from "@fieldmesh/core/internal/schema";
import { endpoint, type Methods } from "@fieldmesh/http/internal";

import { UplinkSubmission } from "./submission.ts";

const resultFields = record({
  /** `success` (observed). The published spec shows only a string. */
  status: guess(z.literal("success")),
  /** The map's own record of the uplink, if it returns one (observed). The published spec shows only a string. */
  uplink: guess(z.optional(z.unknown())),
  /** The map's own records of the hotspots that heard it (observed). */
  hotspots: guess(z.nullish(z.array(z.unknown()))),
});

/** The map's response to an accepted uplink. */
export interface IngestResult extends z.output<typeof resultFields> {}

// In the published spec, the response is a string. A record was observed.
const resultSchema = z.codec(
  z.custom<"Success" | z.input<typeof resultFields>>(
    isWireResult,
    "is neither Success nor a record",
  ),
  resultFields,
  {
    decode: (value) => (typeof value === "string" ? { status: "success" as const } : value),
    encode: (value) => (value.uplink === undefined && value.hotspots == null ? "Success" : value),
  },
) as z.core.$ZodType<IngestResult, "Success" | z.input<typeof resultFields>>;

function isWireResult(value: unknown): boolean {
  return typeof value === "string" ? /^\s*success\s*$/i.test(value) : typeof value === "object";
}

/** The endpoint of the mapping ingest, as a row. The client makes `client.ingest` from it. */
export const mapper = {
  /**
   * Submit an uplink with the position of its device. **The uplink is shown on a public map in real time.**
   *
   * Accepts any uplink that has `latitude`, `longitude`, `altitude` and `accuracy` at the top level of its decoded payload.
   * The decoded payload is `decoded.payload` in the standard uplink of the console, and `object` in that of a network
   * server. An uplink without these fields throws an InputError with the path of each problem, before anything is sent.
   * Running deployments require more (observed): `check` reports what an uplink lacks. With the client's option
   * `observedRules: true`, such an uplink throws an InputError too.
   *
   * The published spec does not say that a submission is idempotent. After an error whose `outcome` is `unknown`, the uplink may
   * be on the map, and you decide whether to send it again. Running deployments accept 60 uplinks per minute from one IP address
   * (observed).
   *
   * @throws A {@link MapperRejectedError} with 400: The uplink was not accepted
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const { status } = await client.ingest(uplink);
   * ```
   */
  ingest: endpoint("POST /api/v1/ingest/uplink", {
    body: UplinkSubmission,
    result: resultSchema,
    errors: { 400: "The uplink was not accepted" },
  }),
};

/** Submits uplinks to the public map. */
export interface Mapper extends Methods<typeof mapper> {}
