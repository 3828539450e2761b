import { isRecord, options, recordOf } from "@fieldmesh/core/internal";
import { buildPosition, buildTable, type BuildOptions } from "./build-position.ts";
import { fromNetworkServer } from "./from-network-server.ts";
import {
  formOfUplink,
  mapReadable,
  notMappable,
  problemsOf,
  resultOf,
  type MappingResult,
} from "./mapping-result.ts";
import { isDecoded } from "./message-forms.ts";
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
  if (!isRecord(message)) return notMappable("unknown message", problemsOf(message, settings));
  const form = formOfUplink(message);
  if (typeof form !== "string") return form;
  if (form !== "uplink of the console") return fromNetworkServer(message, settings);
  // The map reads a message with an object as the form of a network server (observed).
  const { object, ...rest } = message;
  const decoded = recordOf(rest["decoded"]);
  const payload = decoded["payload"];
  const inObject = isDecoded(object) && buildPosition(object, "object", settings);
  const isRead = isDecoded(payload) || (isRecord(payload) && !inObject);
  const inPayload = isRead && buildPosition(payload, PATH, settings);
  const isMoved = inObject && (!inPayload || (!inPayload.position && inObject.position));
  const read = isMoved ? inObject : inPayload;
  if (!read) return notMappable(form, problemsOf(rest, settings));
  const { position, problems } = read;
  const moved = isMoved ? ["decoded.payload: taken from object"] : [];
  const changes = [...moved, ...read.changes];
  const fields = { ...recordOf(payload), ...(isMoved && recordOf(object)), ...position };
  const uplink = { ...rest, decoded: { ...decoded, payload: fields } };
  const result = { changes, problems, paths: [PATH] };
  return resultOf(form, consoleSubmissionFields, uplink, result, settings);
}

const PATH = "decoded.payload";
