import { recordOf } from "@fieldmesh/core/internal";
import type { Problem } from "@fieldmesh/http";

/** What the console writes into `decoded.error` if it could not run a decoder (observed). The author of the decoder is not the cause. */
const NOT_RUN = ["unknown_decoder", "no_context"];

/** Describes why a decoder of the console returned nothing. Returns `undefined` if it did not fail. */
export function decoderProblem(decoded: unknown): Problem | undefined {
  const { status, error, payload } = recordOf(decoded);
  if (status !== "error" || payload != null) return undefined;
  const known = NOT_RUN.find((name) => name === error);
  const message =
    known === undefined
      ? "says that the decoder failed: correct the decoder in the console, and try it there with the bytes of payload"
      : `is ${known}: the console could not run the decoder, so your decoder and the device are not the cause. Wait for the next uplink; if it has the same error, save the decoder in the console again`;
  return { path: "decoded.error", message };
}
