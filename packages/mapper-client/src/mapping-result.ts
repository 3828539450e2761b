import { firstProblems, type AnyRecord } from "@fieldmesh/core/internal";
import type * as z from "@fieldmesh/core/internal/zod";
import type { Problem } from "@fieldmesh/http";
import type { BuildOptions } from "./build-position.ts";
import { checkObserved, checkStated, readUplink, UNREADABLE_UPLINK } from "./check.ts";
import {
  formOf,
  formProblem,
  isUplinkForm,
  type MessageForm,
  type UplinkForm,
} from "./message-forms.ts";
import { publicPart } from "./public-part.ts";
import type { UplinkSubmission } from "./submission.ts";

/** A submission that the map accepts, an uplink with its problems, or a message that is not an uplink. */
export type MappingResult<S extends UplinkSubmission = UplinkSubmission> =
  | {
      readonly isMappable: true;
      /** What the message is. */
      readonly form: UplinkForm;
      readonly uplink: S;
      /** The changes in words. Empty if there were none. */
      readonly changes: readonly string[];
    }
  | {
      readonly isMappable: false;
      readonly isUplink: true;
      /** What the message is. */
      readonly form: UplinkForm;
      readonly problems: readonly Problem[];
    }
  | {
      readonly isMappable: false;
      /** Network servers send their joins, and other events, to the address of the uplinks (observed). */
      readonly isUplink: false;
      /** What the message is. */
      readonly form: Exclude<MessageForm, UplinkForm>;
      /** The only one says what to do. */
      readonly problems: readonly Problem[];
    };

/** Builds from a message. If a getter or a proxy in the message throws, that is its only problem. */
export function mapReadable(message: unknown, map: () => MappingResult): MappingResult {
  return readUplink(message, map) ?? notMappable("unknown message", [UNREADABLE_UPLINK]);
}

/** Returns the result of a message that cannot be mapped. */
export function notMappable(form: MessageForm, problems: readonly Problem[]): MappingResult {
  return isUplinkForm(form)
    ? { isMappable: false, isUplink: true, form, problems }
    : { isMappable: false, isUplink: false, form, problems };
}

/** Returns the form of an uplink that a builder reads, or the result of any other message. */
export function formOfUplink(message: AnyRecord): UplinkForm | MappingResult {
  const form = formOf(message);
  const problem = formProblem(form, message);
  return problem === undefined && isUplinkForm(form)
    ? form
    : notMappable(form, problem === undefined ? [] : [problem]);
}

/** Returns the problems of a message, by the rules that the caller has chosen. */
export function problemsOf(message: unknown, { observedRules }: BuildOptions): readonly Problem[] {
  return observedRules === false ? checkStated(message) : checkObserved(message);
}

/** Adds the problems of the rest of the message to those of the position. Without any, returns what its schema declares. */
export function resultOf(
  form: UplinkForm,
  schema: z.core.$ZodType,
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
  if (all.length > 0) return notMappable(form, firstProblems(all));
  // The check has proved the type.
  const submitted = publicPart(schema, uplink, options.keep) as UplinkSubmission;
  return { isMappable: true, form, uplink: submitted, changes };
}
