import * as z from "@fieldmesh/core/internal/zod";

/** A block height in an input: an integer that a JavaScript number represents exactly. */
export const heightInput = z.int("must be a whole number").check(z.gte(0, "must not be negative"));

const nonEmpty = z.string().check(z.minLength(1, "must not be empty"));

/** The hash of a block in an input. */
export const hashInput = nonEmpty;

/** An account address in an input: base58, which has no 0, O, I or l. */
export const addressInput = z
  .string()
  .check(
    z.regex(/^[1-9A-HJ-NP-Za-km-z]+$/, "must be base58: letters and digits without 0, O, I and l"),
  );

/** The index of a hexagonal cell in an input. */
export const locationInput = nonEmpty;

/** The name of a chain variable in an input. */
export const variableName = nonEmpty;

/** Names that are sent as one string, separated by commas. */
export function commaSeparated(): z.core.$ZodType<string[], string> {
  const name = z.string().check(z.regex(/^[^,]+$/, "must be a name without a comma"));
  return z.codec(z.string(), z.array(name).check(z.minLength(1, "must name at least one")), {
    decode: (text) => text.split(","),
    encode: (names) => names.join(","),
  });
}

/** The parameter of every paged list. */
export const cursor = {
  /** The cursor of an earlier response, unchanged, to start at that page. You can omit it: the pager sends cursors for you. */
  cursor: z.optional(nonEmpty),
};

/** A possible meaning of a 400 on a paged list. The spec documents it for two lists, and the others behave alike. */
export const pagedErrors = {
  400: "The request was not accepted; if it carried a cursor, the cursor may have expired",
};

/** The meaning of a 400 on the two lists for which the spec documents it. */
export const expiringErrors = {
  400: "The request was not accepted; if it carried a cursor, the cursor has expired",
};
