import * as z from "@fieldmesh/core/zod";
import { contractOf, limited } from "@fieldmesh/core/schema";
import { OWN_MESSAGES_ONLY, toProblems, type Problem } from "../errors/problem.ts";

/** The end of a problem with a rule that only running deployments enforce. */
export const OBSERVED_ADVICE = "(observed; `observedRules: false` turns this off)";

/**
 * Encodes an input by its schema, with or without the observed rules. A problem says so if only an observed rule causes it.
 */
export function encodeInput(
  schema: z.core.$ZodType,
  value: unknown,
  observedRules: boolean,
): { readonly output: unknown } | { readonly problems: readonly Problem[] } {
  const contract = contractOf(schema);
  const encoded = encode(observedRules ? schema : contract, value);
  if (!("problems" in encoded) || !observedRules || contract === schema) return encoded;
  const stated = encode(contract, value);
  const isStated = ({ path }: Problem): boolean =>
    "problems" in stated && stated.problems.some((each) => each.path === path);
  return {
    problems: encoded.problems.map((problem) =>
      isStated(problem)
        ? problem
        : { ...problem, message: `${problem.message} ${OBSERVED_ADVICE}` },
    ),
  };
}

function encode(
  schema: z.core.$ZodType,
  value: unknown,
): { readonly output: unknown } | { readonly problems: readonly Problem[] } {
  const encoded = z.safeEncode(limited(schema), value, OWN_MESSAGES_ONLY);
  return encoded.success
    ? { output: encoded.data }
    : { problems: toProblems(encoded.error.issues, value) };
}
