import type { Json } from "./shapes.ts";
import { isStatedValue } from "./stated.ts";

/** The field in which a document says what running deployments do beyond the contract. */
export const OBSERVED = "x-observed";

/** The mark in a doc comment or another text of what the contract does not state. */
export const MARK = "(observed)";

/**
 * Adds to a document of the contract what the same document has with the observed rules. Where they differ, the keywords of a
 * rule are in `x-observed`, because a validator or a generated client must accept what the contract accepts.
 */
export function withObservedRules(contract: Json, observed: Json): Json {
  const own = Object.entries(contract).map(([key, value]) => [key, merged(value, observed[key])]);
  const rules = Object.fromEntries(
    Object.entries(observed).flatMap(([key, value]) => {
      const left = isPart(value, contract[key]) ? undefined : beyond(value, contract[key]);
      return left === undefined ? [] : [[key, left]];
    }),
  ) as Json;
  const described = Object.fromEntries(own) as Json;
  return Object.keys(rules).length === 0 ? described : withRules(described, rules);
}

/** Adds rules to a schema, and to its description those that belong to a whole object. */
function withRules(schema: Json, rules: Json): Json {
  const sentences = [schema["description"], ...sentencesOf(rules)].filter(Boolean);
  return {
    ...schema,
    ...(sentences.length > 0 && { description: sentences.join(" ") }),
    [OBSERVED]: { ...(schema[OBSERVED] as Json | undefined), ...rules },
  };
}

function sentencesOf({ required, additionalProperties }: Json): string[] {
  // A parameter is required itself; an object names its required fields.
  const names = Array.isArray(required) ? required.map((name) => `\`${name}\``) : [];
  const list = new Intl.ListFormat("en", { type: "conjunction" }).format(names);
  return [
    ...(names.length > 0 ? [`Running deployments require ${list} ${MARK}.`] : []),
    ...(additionalProperties === false
      ? [`Other fields are rejected, unless a deployment needs them ${MARK}.`]
      : []),
  ];
}

function merged(contract: unknown, observed: unknown): unknown {
  if (!isPart(contract, observed)) return contract;
  if (Array.isArray(contract))
    return contract.map((each, index) => merged(each, (observed as unknown[])[index]));
  return withObservedRules(contract as Json, observed as Json);
}

/** Whether both are objects, or lists of as many objects: then the difference is inside of them. */
function isPart(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && [...one, ...other].every(isObject);
  return isObject(one) && isObject(other) && !Array.isArray(one) && !Array.isArray(other);
}

/** The rule of a keyword, unless the contract has it. Of a list, what the contract lists is left out. */
function beyond(rule: unknown, contract: unknown): unknown {
  if (JSON.stringify(rule) === JSON.stringify(contract)) return undefined;
  if (!Array.isArray(rule) || !Array.isArray(contract)) return rule;
  const more = rule.filter((each) => !contract.includes(each));
  return more.length === 0 ? undefined : more;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

/** Moves the known values of a field that the contract does not state to `x-observed`. */
export function withObservedValues(field: string, shape: Json): Json {
  if (Array.isArray(shape["anyOf"])) {
    const members = shape["anyOf"] as Json[];
    return { ...shape, anyOf: members.map((each) => withObservedValues(field, each)) };
  }
  const { examples, ...rest } = shape;
  // A kind of event that only running deployments have. Enums of inputs are observed rules, which are moved as such.
  const { const: kind, enum: kinds, ...others } = rest;
  const only = [kind, ...(Array.isArray(kinds) ? kinds : [])].filter((each) => each !== undefined);
  if (field === "sub_category" && only.some((value) => !isStatedValue(field, String(value))))
    return { ...others, [OBSERVED]: { examples: only } };
  if (!Array.isArray(examples)) return shape;
  const stated = examples.filter((value) => isStatedValue(field, String(value)));
  const observed = examples.filter((value) => !stated.includes(value));
  return {
    ...rest,
    ...(stated.length > 0 && { examples: stated }),
    ...(observed.length > 0 && { [OBSERVED]: { examples: observed } }),
  };
}
