import { firstProblems } from "@fieldmesh/core/internal";
import type * as z from "@fieldmesh/core/internal/zod";
import type { Problem } from "@fieldmesh/http";
import type { BuildOptions } from "./build-position.ts";
import { checkObserved, checkStated, readUplink, UNREADABLE_UPLINK } from "./check.ts";
import { publicPart } from "./public-part.ts";
import type { UplinkSubmission } from "./submission.ts";

/** A submission that the map accepts, or the problems of the message. */
export type MappingResult<S extends UplinkSubmission = UplinkSubmission> =
  | {
      readonly isMappable: true;
      readonly uplink: S;
      /** The changes in words. Empty if there were none. */
      readonly changes: readonly string[];
    }
  | { readonly isMappable: false; readonly problems: readonly Problem[] };

/** Builds from a message. If a getter or a proxy in the message throws, that is its only problem. */
export function mapReadable(message: unknown, map: () => MappingResult): MappingResult {
  return readUplink(message, map) ?? { isMappable: false, problems: [UNREADABLE_UPLINK] };
}

/** Returns the problems of a message, by the rules that the caller has chosen. */
export function problemsOf(message: unknown, { observedRules }: BuildOptions): readonly Problem[] {
  return observedRules === false ? checkStated(message) : checkObserved(message);
}

/** Adds the problems of the rest of the message to those of the position. Without any, returns what the form declares. */
export function resultOf(
  form: z.core.$ZodType,
  uplink: object,
  // `paths` are the parts of the message whose problems are known.
  {
    changes,
    problems,
    paths,
  }: Record<"changes" | "paths", readonly string[]> & {
    readonly problems: readonly Problem[];
  },
  options: BuildOptions,
): MappingResult {
  const others = problemsOf(uplink, options).filter(
    (each) =>
      !paths.some(
        (path) => each.path.startsWith(path) && /^[.[]/.test(each.path.slice(path.length)),
      ),
  );
  const all = [...problems, ...others];
  if (all.length > 0) return { isMappable: false, problems: firstProblems(all) };
  // The check has proved the type.
  const submitted = publicPart(form, uplink, options.keep) as UplinkSubmission;
  return { isMappable: true, uplink: submitted, changes };
}
