// Why it is so: docs/decisions/20-check-before-submitting.md
import { isRecord, isSecret, kindOfName, mistake, mustBe } from "@fieldmesh/core/internal";
import { unwrap } from "@fieldmesh/core/internal/schema";
import type * as z from "@fieldmesh/core/internal/zod";

/**
 * Returns what of an uplink may be public: the fields that a form declares, and those at the paths of `keep`. Whatever else a
 * message holds, such as a token, a label or a tag, is not in the result.
 */
export function publicPart(
  form: z.core.$ZodType,
  uplink: object,
  keep: readonly string[] = [],
): object {
  const paths = keep.map((path) => path.split("."));
  return partOf(form, uplink, paths) as object;
}

function partOf(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  paths: readonly (readonly string[])[],
): unknown {
  const def = schema && (unwrap(schema) as z.core.$ZodTypes)._zod.def;
  if (Array.isArray(value)) {
    const element = def?.type === "array" ? def.element : undefined;
    const items = value
      .map((item) => partOf(element, item, paths))
      .filter((item) => item !== undefined);
    return element !== undefined || items.length > 0 ? items : undefined;
  }
  if (isRecord(value)) {
    const shape = def?.type === "object" ? def.shape : {};
    const fields = Object.entries(value).map(([name, child]) => {
      const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const isKept = below.some(({ length }) => length === 0);
      return [name, isKept ? keptPart(child) : partOf(field, child, below)] as const;
    });
    const found = fields.filter(([, child]) => child !== undefined);
    return def?.type === "object" || found.length > 0 ? Object.fromEntries(found) : undefined;
  }
  // A string in place of a record is not what the form declares.
  const isValue = def !== undefined && def.type !== "object" && def.type !== "array";
  return isValue ? value : undefined;
}

/** Copies what a path of `keep` names, without what a name in it calls secret or personal. */
function keptPart(value: unknown): unknown {
  if (isSecret(value)) return undefined;
  if (Array.isArray(value)) return value.map(keptPart).filter((item) => item !== undefined);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).filter(
    ([name]) => kindOfName(name, { inRequest: true }) === undefined,
  );
  return Object.fromEntries(fields.map(([name, child]) => [name, keptPart(child)]));
}

/** Checks the option `keep`. */
export function checkKeep(given: unknown, name: string): readonly string[] {
  const isList = Array.isArray(given) && given.every((path) => /^[^.]+(\.[^.]+)*$/.test(path));
  if (!isList || given.some((path) => typeof path !== "string"))
    throw mustBe(name, 'a list of paths, such as ["decoded.payload.battery"]', given);
  const paths = given as string[];
  const secret = paths
    .flatMap((path) => path.split("."))
    .find((each) => kindOfName(each) === "secret");
  if (secret === undefined) return paths;
  throw mistake(
    `${name} has the name "${secret}", which says that its value is secret, and the map is public: remove it. If everyone may see the value, let the decoder return it under another name.`,
  );
}
