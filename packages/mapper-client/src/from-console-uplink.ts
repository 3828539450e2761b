import { isRecord, options, recordOf, type AnyRecord } from "@fieldmesh/core/internal";
import { buildPosition, buildTable, isDecoded, type BuildOptions } from "./build-position.ts";
import { fromNetworkServer } from "./from-network-server.ts";
import { mapReadable, problemsOf, resultOf, type MappingResult } from "./mapping-result.ts";
import { consoleSubmissionFields, type ConsoleSubmission } from "./submission.ts";

/**
 * Builds a submission from the uplink that the console's HTTP integration delivers. Never throws, whatever the message is.
 *
 * It finds the position in `decoded.payload`, or in `object` if only that one is complete, under the names that decoders use: see
 * `fields`. An uplink of a network server is built as by {@link fromNetworkServer}. Numbers in strings become numbers,
 * `altitude` is rounded to whole meters, and one unit of `hdop` counts as 5 m of accuracy. `changes` lists the changes. With
 * `observedRules: false`, it rejects only what the published spec does not accept.
 *
 * **Only the fields that the published spec lists are submitted**, and the position: no other field of the decoder, and neither
 * `downlink_url` nor labels. `keep` names further fields.
 *
 * @example
 * ```ts
 * const result = fromConsoleUplink(message, { fields: { latitude: "gps.lat", longitude: "gps.lng" } });
 * if (result.isMappable) await client.ingest(result.uplink);
 * else console.error(result.problems);
 * ```
 */
export function fromConsoleUplink(
  message: unknown,
  options?: BuildOptions & { observedRules?: true | undefined },
): MappingResult<ConsoleSubmission>;
export function fromConsoleUplink(message: unknown, options: BuildOptions): MappingResult;
export function fromConsoleUplink(message: unknown, given?: BuildOptions): MappingResult {
  const settings = readOptions(given);
  return mapReadable(message, () => build(message, settings));
}

const readOptions = /* @__PURE__ */ options<BuildOptions>("fromConsoleUplink", buildTable);

function build(message: unknown, settings: BuildOptions): MappingResult {
  if (!isRecord(message)) return { isMappable: false, problems: problemsOf(message, settings) };
  // The map reads a message with an object as the form of a network server (observed).
  const { object, ...rest } = message;
  const decoded = recordOf(rest["decoded"]);
  const payload = decoded["payload"];
  const inPayload = isDecoded(payload) && buildPosition(payload, "decoded.payload", settings);
  const inObject = isDecoded(object) && buildPosition(object, "object", settings);
  if (inObject && (!inPayload || (!inPayload.position && inObject.position))) {
    if (!isOfConsole(rest)) return fromNetworkServer(message, settings);
    const moved = {
      ...decoded,
      payload: { ...recordOf(payload), ...object, ...inObject.position },
    };
    const changes = ["decoded.payload: taken from object", ...inObject.changes];
    const { problems } = inObject;
    const uplink = { ...rest, decoded: moved };
    return resultOf(FORM, uplink, { changes, problems, paths: PATHS }, settings);
  }
  if (!inPayload)
    return isOfOther(rest)
      ? fromNetworkServer(message, settings)
      : { isMappable: false, problems: problemsOf(rest, settings) };
  const { position, changes, problems } = inPayload;
  const uplink = {
    ...rest,
    decoded: { ...decoded, payload: { ...recordOf(payload), ...position } },
  };
  return resultOf(FORM, uplink, { changes, problems, paths: PATHS }, settings);
}

const FORM = consoleSubmissionFields;
const PATHS = ["decoded.payload"];

/** Tells whether a message has parts that only the console sends. */
function isOfConsole(message: AnyRecord): boolean {
  return "dev_eui" in message || "hotspots" in message;
}

/** Tells whether a message has parts that only a network server sends. */
function isOfOther(message: AnyRecord): boolean {
  return ["deviceInfo", "devEUI", "uplink_message", "payload_fields"].some(
    (name) => name in message,
  );
}
