import {
  firstProblems,
  type Schema,
  type SchemaIssue,
  type SchemaResult,
} from "@fieldmesh/core/internal";
import { toProblems, type Problem } from "../errors/problem.ts";
import { invalid } from "./rejections.ts";
import type { ResponseToDecode } from "./response-to-decode.ts";

/** Applies the user's schema to the output: to each of several records, and to the items of a page. */
export async function applySchema(
  received: ResponseToDecode,
  schema: Schema,
  output: unknown,
  isPage: boolean,
): Promise<unknown> {
  if (isPage) {
    const page = output as { data: unknown };
    return { ...page, data: await applySchema(received, schema, page.data, false) };
  }
  if (Array.isArray(output)) {
    return await Promise.all(
      output.map((item, index) => applyToOne(received, schema, item, [index])),
    );
  }
  return await applyToOne(received, schema, output, []);
}

/** A schema for a whole body may report an issue for each item of a long list, and only a few are shown. */
const MOST_ISSUES = 100;

export async function applyToOne(
  received: ResponseToDecode,
  schema: Schema,
  value: unknown,
  at: PropertyKey[],
): Promise<unknown> {
  const result = await validateWith(schema, value, at);
  if ("value" in result) return result.value;
  throw invalid(received, result.problems, "Correct the schema of the call.");
}

/** The schema may come from any library and may be wrong. Whatever it throws or returns, the call was carried out. */
async function validateWith(
  schema: Schema,
  value: unknown,
  at: PropertyKey[],
): Promise<{ readonly value: unknown } | { readonly problems: readonly Problem[] }> {
  const toFirst = (issues: readonly SchemaIssue[]): Problem[] =>
    firstProblems(toProblems(issues, value, at, "hidden"));
  // The thrown error may contain the value.
  const unnamed = [{ message: "" }];
  try {
    const result: SchemaResult<unknown> = await schema["~standard"].validate(value);
    if (result.issues === undefined && "value" in result) return { value: result.value };
    const issues = result.issues?.slice(0, MOST_ISSUES) as readonly SchemaIssue[];
    return { problems: toFirst(issues.length > 0 ? issues : unnamed) };
  } catch {
    return { problems: toFirst(unnamed) };
  }
}
