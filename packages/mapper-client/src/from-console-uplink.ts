import { isRecord, recordOf } from "@fieldmesh/core";
import type { Problem } from "@fieldmesh/http";
import { buildPosition, isDecoded, type FieldPaths } from "./build-position.ts";
import { check } from "./check.ts";
import type { ConsoleSubmission, UplinkSubmission } from "./submission.ts";

/** Options of the builders. */
export interface BuildOptions {
  /**
   * Where the decoder puts a field that it names differently: a name, or a path with dots such as `gps.lat`.
   *
   * @default lat; lng, lon, long; alt; acc, hdop - in any case, where the field itself is not there
   */
  fields?: FieldPaths | undefined;
}

/** A submission that the map accepts, or the problems of the message. */
export type MappingResult<S extends UplinkSubmission = UplinkSubmission> =
  | {
      readonly isMappable: true;
      readonly uplink: S;
      /** What was fixed, in words; empty where nothing was. */
      readonly changes: readonly string[];
    }
  | { readonly isMappable: false; readonly problems: readonly Problem[] };

/**
 * Builds a submission from the uplink that the console's HTTP integration delivers. Never throws.
 *
 * It finds the position in `decoded.payload` under the names that decoders use, see `fields`. Numbers in strings become
 * numbers, `altitude` is rounded to whole meters, `hdop` counts as 5 m of accuracy a unit; `changes` lists what was fixed.
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
  { fields = {} }: BuildOptions = {},
): MappingResult<ConsoleSubmission> {
  if (!isRecord(message)) return { isMappable: false, problems: check(message) };
  // A message of the console has no such field; one that has would be read as another form.
  const { object: _, ...rest } = message;
  const decoded = recordOf(rest["decoded"]);
  const payload = decoded["payload"];
  if (!isDecoded(payload)) return { isMappable: false, problems: check(rest) };
  const { position, changes, problems } = buildPosition(payload, "decoded.payload", fields);
  const uplink = { ...rest, decoded: { ...decoded, payload: { ...payload, ...position } } };
  return resultOf(uplink, { changes, problems, path: "decoded.payload" });
}

/** Adds the problems of the rest of the message to those of the position. */
export function resultOf<S extends UplinkSubmission>(
  uplink: object,
  {
    changes,
    problems,
    path,
  }: { changes: readonly string[]; problems: readonly Problem[]; path: string },
): MappingResult<S> {
  const others = check(uplink).filter((each) => !each.path.startsWith(`${path}.`));
  const all = [...problems, ...others];
  // The check has proved the type.
  return all.length === 0
    ? { isMappable: true, uplink: uplink as S, changes }
    : { isMappable: false, problems: all };
}
