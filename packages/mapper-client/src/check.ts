// Why it is so: docs/decisions/20-check-before-submitting.md
import {
  firstProblems,
  isOurs,
  isRecord,
  MAX_PROBLEMS,
  recordOf,
  UNREADABLE,
  type AnyRecord,
} from "@fieldmesh/core/internal";
import { OBSERVED_ADVICE, type Problem } from "@fieldmesh/http/internal";
import { checkPosition, checkStatedField } from "./check-position.ts";
import { decoderProblem } from "./decoder-error.ts";
import { formOf, formProblem } from "./message-forms.ts";

/**
 * Checks whether the map would accept an uplink. Returns its problems with path and advice, or an empty list. It returns at most
 * 20 problems; if there are more, the last one says so.
 *
 * It checks the four fields that the published spec requires, and the further rules of running deployments (observed). By
 * default, `ingest` enforces only the first kind; with `observedRules: true`, it enforces both. `check` sends nothing and
 * quotes no value.
 *
 * @example
 * ```ts
 * for (const { path, message } of check(uplink)) console.error(`${path}: ${message}`);
 * ```
 */
export function check(uplink: unknown): Problem[] {
  const problems = readUplink(uplink, () => findProblems(uplink));
  return problems === undefined ? [UNREADABLE_UPLINK] : firstProblems(problems);
}

/** Runs a function that reads an uplink. Returns `undefined` if a getter or a proxy in it throws. */
export function readUplink<T>(uplink: unknown, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isOurs(error)) throw error;
    return undefined;
  }
}

export const UNREADABLE_UPLINK: Problem = { path: "", message: UNREADABLE };

/** Returns the problems of each part. Stops searching a list when enough problems are found. */
function findProblems(uplink: unknown): Problem[] {
  if (!isRecord(uplink)) return [NO_OBJECT];
  const form = formOf(uplink);
  const problem = formProblem(form, uplink);
  if (problem !== undefined) return [problem];
  if (form === "uplink of ChirpStack v3" || form === "uplink of The Things Stack v3")
    return problemAt(
      "",
      `is an ${form}, whose form the map does not read: build it with fromNetworkServer`,
    );
  // The map chooses the form by this field, even if both are present.
  return uplink["object"] == null && form === "uplink of the console"
    ? checkConsole(uplink)
    : checkNetworkServer(uplink);
}

const NO_OBJECT = {
  path: "",
  message: "is not an object: send the uplink as the integration delivered it",
};

/** Checks the spec: the four fields at the top of `decoded.payload` or `object` are numbers, `altitude` in whole meters. */
export function checkStated(uplink: unknown): Problem[] {
  if (!isRecord(uplink)) return [NO_OBJECT];
  const places: [path: string, payload: unknown][] = [
    ["object", uplink["object"]],
    ["decoded.payload", recordOf(uplink["decoded"])["payload"]],
  ];
  const found = places.flatMap(([path, payload]) =>
    isRecord(payload) ? [checkPosition(payload, path, checkStatedField)] : [],
  );
  // One of the two is enough. The spec does not say which of them counts.
  if (found.some((problems) => problems.length === 0)) return [];
  return found[0] ?? findProblems(uplink).filter(({ path }) => PAYLOADS.has(path));
}

/** The paths of problems with a message that has no decoded payload. */
const PAYLOADS = new Set(["", "decoded.error", "decoded.payload", "object"]);

/** Returns everything that {@link check} reports. A problem with an observed rule says how to turn the rule off. */
export function checkObserved(uplink: unknown): Problem[] {
  const stated = checkStated(uplink);
  const isStated = (problem: Problem): boolean =>
    stated.some(({ path, message }) => path === problem.path && message === problem.message);
  const all = findProblems(uplink).map((problem) =>
    isStated(problem) ? problem : { ...problem, message: `${problem.message} ${OBSERVED_ADVICE}` },
  );
  return firstProblems(all);
}

function checkConsole(uplink: AnyRecord): Problem[] {
  const decoded = recordOf(uplink["decoded"]);
  const rest = [
    ...needed(uplink, "", { dev_eui: "text", fcnt: "integer" }),
    ...checkHotspots(uplink["hotspots"]),
  ];
  const failed = decoderProblem(decoded);
  if (failed !== undefined) return [failed, ...rest];
  if (!isRecord(decoded["payload"])) {
    const message =
      uplink["decoded"] == null
        ? "is missing: add a decoder to the flow, or put the fields into object"
        : "is not an object: let the decoder return the four fields";
    return [{ path: "decoded.payload", message }, ...rest];
  }
  return [...checkPosition(decoded["payload"], "decoded.payload"), ...rest];
}

/** An earlier time is in seconds. */
const FIRST_MILLISECOND = 100_000_000_000;

function checkHotspots(hotspots: unknown): Problem[] {
  if (!Array.isArray(hotspots) || hotspots.length === 0)
    return problemAt("hotspots", "is empty: the map needs at least one hotspot that received it");
  const unplaced = hotspots.every(isUnplaced)
    ? problemAt("hotspots", "has no hotspot with a known location: the map needs at least one")
    : [];
  const times = problemsOfEach(hotspots, (hotspot, index) => {
    const path = `hotspots[${index}].reported_at`;
    const { reported_at: time } = recordOf(hotspot);
    if (time == null) return problemAt(path, "is missing: send milliseconds since 1970");
    if (typeof time !== "number" || !Number.isSafeInteger(time))
      return problemAt(path, "is not a whole number: send milliseconds since 1970");
    return time < FIRST_MILLISECOND
      ? problemAt(path, "looks like seconds: send milliseconds since 1970")
      : [];
  });
  return [...unplaced, ...times];
}

/** The console writes `unknown` or null if it does not know the location of a hotspot. */
function isUnplaced(hotspot: unknown): boolean {
  const { lat, long } = recordOf(hotspot);
  return [lat, long].some((degrees) => degrees === "unknown" || degrees === null);
}

function checkNetworkServer(uplink: AnyRecord): Problem[] {
  const { object, deviceInfo, txInfo, rxInfo } = uplink;
  if (object == null) return problemAt("object", NO_CODEC);
  const position = isRecord(object)
    ? checkPosition(object, "object")
    : problemAt("object", "is not an object: let the codec return the four fields");
  return [
    ...position,
    ...needed(recordOf(deviceInfo), "deviceInfo.", { devEui: "text" }),
    ...needed(uplink, "", { fCnt: "integer", time: "text" }),
    ...needed(recordOf(txInfo), "txInfo.", { frequency: "number" }),
    ...checkModulation(recordOf(txInfo)),
    ...checkRxInfo(rxInfo),
  ];
}

export const NO_CODEC = "is missing: give the device profile a codec that returns the four fields";

/** The names of the other modulations in the forms of network servers (observed). */
const NOT_LORA = /^(fsk|lr_?fhss)$/i;

function checkModulation({ modulation, dr }: AnyRecord): Problem[] {
  const { lora } = recordOf(modulation);
  if (lora == null && Object.keys(recordOf(modulation)).some((name) => NOT_LORA.test(name)))
    return problemAt(
      "txInfo.modulation",
      "is not LoRa, the only modulation that the map reads: leave the uplink out",
    );
  if (lora == null && dr != null)
    return problemAt(
      "txInfo",
      'has a data rate in place of a modulation: set marshaler="json" in the configuration of ChirpStack v3',
    );
  return needed(recordOf(lora), "txInfo.modulation.lora.", {
    spreadingFactor: "integer",
    bandwidth: "integer",
  });
}

function checkRxInfo(rxInfo: unknown): Problem[] {
  if (!Array.isArray(rxInfo) || rxInfo.length === 0)
    return problemAt("rxInfo", "is empty: the map needs at least one gateway that received it");
  return problemsOfEach(rxInfo, (each, index) => {
    const path = `rxInfo[${index}].`;
    const info = recordOf(each);
    const metadata = recordOf(info["metadata"]);
    const time =
      info["time"] == null && info["gwTime"] != null
        ? problemAt(`${path}time`, "is missing: write gwTime as time, or use fromNetworkServer")
        : needed(info, path, { time: "text" });
    return [
      ...needed(info, path, { rssi: "number", snr: "number" }),
      ...time,
      ...needed(metadata, `${path}metadata.`, { gateway_id: "text", gateway_name: "text" }),
      ...["gateway_lat", "gateway_long"].flatMap((name) =>
        checkGatewayPlace(metadata[name], `${path}metadata.${name}`),
      ),
    ];
  });
}

/** Stops after enough problems: a small body may contain a hundred thousand broken items. */
function problemsOfEach(
  items: readonly unknown[],
  problemsOf: (item: unknown, index: number) => readonly Problem[],
): Problem[] {
  const problems: Problem[] = [];
  for (const [index, item] of items.entries()) {
    problems.push(...problemsOf(item, index));
    if (problems.length > MAX_PROBLEMS) break;
  }
  return problems;
}

function checkGatewayPlace(value: unknown, path: string): Problem[] {
  if (value == null) return problemAt(path, "is missing: add the location of the gateway");
  if (typeof value !== "string")
    return problemAt(path, "is not a string: send a string with a decimal point");
  return /^-?\d+\.\d+$/.test(value)
    ? []
    : problemAt(path, "has no decimal point: send a string such as 52.0");
}

function problemAt(path: string, message: string): Problem[] {
  return [{ path, message }];
}

type Kind = "text" | "number" | "integer";

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string" && value !== "",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
};
const ADVICE: Readonly<Record<Kind, string>> = {
  text: "send text",
  number: "send a number",
  integer: "send a whole number",
};

function needed(
  parent: AnyRecord,
  prefix: string,
  kinds: Readonly<Record<string, Kind>>,
): Problem[] {
  return Object.entries(kinds).flatMap(([name, kind]) => {
    const value = parent[name];
    if (IS[kind](value)) return [];
    const what = value == null ? "is missing" : "has another type";
    return problemAt(prefix + name, `${what}: ${ADVICE[kind]}`);
  });
}
