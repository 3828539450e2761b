import { isRecord, options, recordOf, type AnyRecord } from "@fieldmesh/core/internal";
import { OBSERVED_ADVICE, type Problem } from "@fieldmesh/http/internal";
import { buildPosition, buildTable, type BuildOptions } from "./build-position.ts";
import { NO_CODEC } from "./check.ts";
import {
  formOfUplink,
  mapReadable,
  notMappable,
  problemsOf,
  resultOf,
  type MappingResult,
} from "./mapping-result.ts";
import { isDecoded, type UplinkForm } from "./message-forms.ts";
import { networkServerFields, type NetworkServerSubmission } from "./network-server-uplink.ts";
import { readForm, type ReadForm } from "./other-network-servers.ts";

/**
 * Builds a submission from the uplink event of a network server: ChirpStack v4, or ChirpStack v3 and The Things Stack v3, whose
 * uplinks are converted to that form (observed). Never throws, whatever the message is.
 *
 * It finds the position in `object`, like {@link fromConsoleUplink}. In each gateway, `gwTime` becomes `time`; without either,
 * the time of the uplink is used. The location comes from `metadata` or `location`, and becomes strings with a decimal point.
 * Gateways without a location are left out, because running deployments reject them (observed). If none has a location, that is
 * the only problem of the gateways. With `observedRules: false`, they are kept.
 *
 * **Only what the map needs is submitted**, with the name, address and port of the device: no tenant, tag, session key or other
 * field of the codec. `keep` names further fields.
 *
 * @example
 * ```ts
 * const result = fromNetworkServer(await request.json());
 * if (result.isMappable) await client.ingest(result.uplink);
 * ```
 */
export function fromNetworkServer(
  message: unknown,
  options?: BuildOptions & { observedRules?: true | undefined },
): MappingResult<NetworkServerSubmission>;
export function fromNetworkServer(message: unknown, options: BuildOptions): MappingResult;
export function fromNetworkServer(message: unknown, given?: BuildOptions): MappingResult {
  const settings = readOptions(given);
  return mapReadable(message, () => build(message, settings));
}

const readOptions = /* @__PURE__ */ options<BuildOptions>("fromNetworkServer", buildTable);

function build(message: unknown, settings: BuildOptions): MappingResult {
  if (!isRecord(message)) return notMappable("unknown message", problemsOf(message, settings));
  const form = formOfUplink(message);
  if (typeof form !== "string") return form;
  if (form === "uplink of the console" && !isDecoded(message["object"]))
    return notMappable(form, [OF_CONSOLE]);
  const read = readForm(form, message);
  return "changes" in read ? buildForm(form, read, settings) : notMappable(form, [read]);
}

const OF_CONSOLE: Problem = {
  path: "",
  message: "is an uplink of the console: build it with fromConsoleUplink",
};

function buildForm(
  form: UplinkForm,
  { message, path, changes: converted }: ReadForm,
  settings: BuildOptions,
): MappingResult {
  const { object } = message;
  if (!isDecoded(object)) {
    const text = form === "uplink of The Things Stack v3" ? NO_FORMATTER : NO_CODEC;
    return notMappable(form, [{ path, message: text }]);
  }
  const { position, changes, problems } = buildPosition(object, path, settings);
  const said = [...converted, ...changes];
  const time = timeOf(message);
  const uplink = {
    ...message,
    ...(time != null && { time }),
    ...(isRecord(message["txInfo"]) && { txInfo: readTxInfo(message["txInfo"], said) }),
    ...(Array.isArray(message["rxInfo"]) && { rxInfo: readGateways(message, said, settings) }),
    object: { ...recordOf(object), ...position },
  };
  if (message["time"] == null && time != null) said.push("time: taken from a gateway");
  const isUnplaced = settings.observedRules !== false && areUnplaced(message["rxInfo"]);
  const result = { changes: said, problems, paths: ["object"] };
  if (!isUnplaced) return resultOf(form, networkServerFields, uplink, result, settings);
  // The other problems of the gateways have the same cause.
  const rest = { ...uplink, rxInfo: [PLACED] };
  return resultOf(
    form,
    networkServerFields,
    rest,
    { ...result, problems: [...problems, NO_LOCATION] },
    settings,
  );
}

const NO_FORMATTER = "is missing: add a payload formatter that returns the four fields";

/** A gateway without problems. */
const PLACED = {
  rssi: -1,
  snr: 1,
  time: "2026-11-25T00:00:00Z",
  metadata: { gateway_id: "g", gateway_name: "g", gateway_lat: "1.0", gateway_long: "1.0" },
};
const NO_LOCATION: Problem = {
  path: "rxInfo",
  message: `has no gateway with a location, which the map shows: set the location of the gateway in the network server (in ChirpStack: Gateways, the gateway, Configuration), or let its GPS send it ${OBSERVED_ADVICE}`,
};

/** Tells whether gateways heard the uplink, and none of them has a location. */
function areUnplaced(rxInfo: unknown): boolean {
  return (
    Array.isArray(rxInfo) &&
    rxInfo.length > 0 &&
    rxInfo.every((each) => readGateway(recordOf(each), undefined) === undefined)
  );
}

/** Returns the network server's own time of the uplink, or else the time of a gateway. */
function timeOf(message: AnyRecord): unknown {
  const first: unknown = Array.isArray(message["rxInfo"]) ? message["rxInfo"][0] : undefined;
  const { gwTime, nsTime, time } = recordOf(first);
  return message["time"] ?? gwTime ?? time ?? nsTime;
}

/** Older servers write `loRa`, newer ones `lora`. */
function readTxInfo(txInfo: AnyRecord, changes: string[]): AnyRecord {
  const modulation = recordOf(txInfo["modulation"]);
  if (modulation["lora"] != null || modulation["loRa"] == null) return txInfo;
  changes.push("txInfo.modulation.lora: taken from loRa");
  return { ...txInfo, modulation: { ...modulation, lora: modulation["loRa"] } };
}

function readGateways(
  message: AnyRecord,
  changes: string[],
  { observedRules }: BuildOptions,
): unknown[] {
  const rxInfo = message["rxInfo"] as unknown[];
  const gateways = rxInfo.map((each) => {
    const read = readGateway(recordOf(each), timeOf(message));
    return read ?? (observedRules === false ? { info: each, changes: [] } : undefined);
  });
  const placed = gateways.filter((each) => each !== undefined);
  const dropped = gateways.length - placed.length;
  if (dropped > 0)
    changes.push(
      `rxInfo: ${dropped} of ${gateways.length} gateways left out, because they have no location`,
    );
  // Each change once, however many gateways have it.
  changes.push(...new Set(placed.flatMap((each) => each.changes)));
  return placed.map(({ info }) => info);
}

function readGateway(
  info: AnyRecord,
  uplinkTime: unknown,
): { readonly info: AnyRecord; readonly changes: string[] } | undefined {
  const metadata = recordOf(info["metadata"]);
  const location = recordOf(info["location"]);
  const gateway_lat = placeText(metadata["gateway_lat"] ?? location["latitude"]);
  const gateway_long = placeText(metadata["gateway_long"] ?? location["longitude"]);
  if (gateway_lat === undefined || gateway_long === undefined) return undefined;
  const gateway_id = metadata["gateway_id"] ?? info["gatewayId"] ?? info["gatewayID"];
  const read = {
    snr: info["snr"] ?? info["loRaSNR"],
    time: info["time"] ?? info["gwTime"] ?? info["nsTime"] ?? uplinkTime,
  };
  const place = {
    gateway_id,
    gateway_name: metadata["gateway_name"] ?? gateway_id,
    gateway_lat,
    gateway_long,
  };
  const changes = [
    ...differences("rxInfo.", info, read),
    ...differences("rxInfo.metadata.", metadata, place),
  ];
  return { info: { ...info, ...read, metadata: { ...metadata, ...place } }, changes };
}

/** Describes values that come from another field or were reformatted. */
function differences(path: string, before: AnyRecord, after: AnyRecord): string[] {
  return Object.keys(after)
    .filter((key) => after[key] !== before[key])
    .map(
      (key) =>
        `${path}${key}: ${before[key] == null ? "taken from another field" : "written as a string with a decimal point"}`,
    );
}

const DIGITS = 7;

/** Formats degrees with a decimal point. The seventh decimal place is a centimeter. */
function placeText(value: unknown): string | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number) || Math.abs(number) > 180)
    return undefined;
  // Keeps one decimal place.
  return number.toFixed(DIGITS).replace(/0{1,6}$/, "");
}
