import { checkOptionNames, firstProblems, isRecord, recordOf } from "@fieldmesh/core";
import type { Problem } from "@fieldmesh/http";
import { BUILD_OPTIONS, buildPosition, isDecoded, type BuildOptions } from "./build-position.ts";
import { checkObserved, checkStated, readUplink, UNREADABLE_UPLINK } from "./check.ts";
import type { ConsoleSubmission, UplinkSubmission } from "./submission.ts";

/** A submission that the map accepts, or the problems of the message. */
export type MappingResult<S extends UplinkSubmission = UplinkSubmission> =
  | {
      readonly isMappable: true;
      readonly uplink: S;
      /** The changes in words. Empty if there were none. */
      readonly changes: readonly string[];
    }
  | { readonly isMappable: false; readonly problems: readonly Problem[] };

/**
 * Builds a submission from the uplink that the console's HTTP integration delivers. Never throws, whatever the message is.
 *
 * It finds the position in `decoded.payload` under the names that decoders use: see `fields`. Numbers in strings become numbers,
 * `altitude` is rounded to whole meters, and one unit of `hdop` counts as 5 m of accuracy. `changes` lists the changes. With
 * `observedRules: false`, it rejects only what the published spec does not accept.
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
export function fromConsoleUplink(message: unknown, options: BuildOptions = {}): MappingResult {
  checkOptionNames("fromConsoleUplink", options, BUILD_OPTIONS);
  return mapReadable(message, () => build(message, options));
}

function build(message: unknown, options: BuildOptions): MappingResult {
  if (!isRecord(message)) return { isMappable: false, problems: problemsOf(message, options) };
  // A message of the console has no such field. A message with the field would be read as another form.
  const { object: _, ...rest } = message;
  const decoded = recordOf(rest["decoded"]);
  const payload = decoded["payload"];
  if (!isDecoded(payload)) return { isMappable: false, problems: problemsOf(rest, options) };
  const { position, changes, problems } = buildPosition(payload, "decoded.payload", options);
  const uplink = { ...rest, decoded: { ...decoded, payload: { ...payload, ...position } } };
  return resultOf(uplink, { changes, problems, path: "decoded.payload" }, options);
}

/** Builds from a message. If a getter or a proxy in the message throws, that is its only problem. */
export function mapReadable(message: unknown, map: () => MappingResult): MappingResult {
  return readUplink(message, map) ?? { isMappable: false, problems: [UNREADABLE_UPLINK] };
}

/** Returns the problems of a message, by the rules that the caller has chosen. */
export function problemsOf(message: unknown, { observedRules }: BuildOptions): readonly Problem[] {
  return observedRules === false ? checkStated(message) : checkObserved(message);
}

/** Adds the problems of the rest of the message to those of the position. */
export function resultOf(
  uplink: object,
  {
    changes,
    problems,
    path,
  }: { changes: readonly string[]; problems: readonly Problem[]; path: string },
  options: BuildOptions,
): MappingResult {
  const others = problemsOf(uplink, options).filter((each) => !each.path.startsWith(`${path}.`));
  const all = [...problems, ...others];
  // The check has proved the type.
  return all.length === 0
    ? { isMappable: true, uplink: uplink as UplinkSubmission, changes }
    : { isMappable: false, problems: firstProblems(all) };
}
