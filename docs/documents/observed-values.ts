import { OBSERVED } from "./observed-rules.ts";
import type { Json } from "./shapes.ts";
import { isStatedValue } from "./stated.ts";

/** Moves the known values of a field that the contract does not state to `x-observed`. */
export function withObservedValues(field: string, shape: Json): Json {
  if (Array.isArray(shape["anyOf"])) {
    const members = shape["anyOf"] as Json[];
    return { ...shape, anyOf: members.map((each) => withObservedValues(field, each)) };
  }
  const { examples, ...rest } = shape;
  if (!Array.isArray(examples)) return shape;
  const stated = examples.filter((value) => isStatedValue(field, String(value)));
  const observed = examples.filter((value) => !stated.includes(value));
  return {
    ...rest,
    ...(stated.length > 0 && { examples: stated }),
    ...(observed.length > 0 && { [OBSERVED]: { examples: observed } }),
  };
}
