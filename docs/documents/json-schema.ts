import { formOf, markOf } from "@fieldmesh/core/internal/schema";
import type ts from "typescript";
import type * as z from "zod";
import {
  anyOf,
  type Direction,
  type Json,
  leafShape,
  marked,
  openObject,
  isCustom,
  orNull,
  withExamples,
} from "./shapes.ts";
import { OBSERVED, withObservedValues } from "./observed-rules.ts";
import type { SourceTypes, Text } from "./source-types.ts";
import { isAbsent, isText, memberFor } from "./union-member.ts";

/** What TypeScript knows of the value that a schema describes. */
export interface Known {
  /** What the caller has of it. */
  readonly type: ts.Type | undefined;
  /** The type on the wire; used only where no schema checks it. */
  readonly wire?: ts.Type | undefined;
}

/** Makes JSON Schemas (2020-12) of the wire side of zod schemas, and collects those of named records by name. */
export type SchemaWriter = ReturnType<typeof createSchemaWriter>;

type Def = z.core.$ZodTypes["_zod"]["def"];

/** The field in which a schema says what its value is in TypeScript: pages show it, documents for machines do not have it. */
export const TYPESCRIPT = "x-typescript";

/** How a writer writes. */
export interface WriterOptions {
  /** Whether a schema says what its value is in TypeScript. */
  readonly withTypes?: boolean;
  /** The only fields of a request that the contract requires, where it states nothing of the form of the others. */
  readonly required?: ReadonlySet<string>;
  /** Rules of fields that their schemas do not have, by name. */
  readonly rules?: Readonly<Record<string, Json>>;
}

/** Creates a writer. `prefix` is where components are, such as `#/components/schemas/`. */
export function createSchemaWriter(
  types: SourceTypes,
  prefix: string,
  { withTypes = false, required: stated, rules = {} }: WriterOptions = {},
) {
  const components = new Map<string, Json>();
  return { write, components, types };

  function write(schema: z.core.$ZodType, known: Known, direction: Direction): Json {
    const shape = marked(schema, shapeOf(schema, known, direction), direction);
    return markOf(schema) === "seen" ? { ...shape, [OBSERVED]: true } : shape;
  }

  function shapeOf(schema: z.core.$ZodType, known: Known, direction: Direction): Json {
    const form = formOf(schema);
    // A document lists what is no drift.
    if (form !== undefined) return write(form, known, direction);
    const def = schema._zod.def as Def;
    switch (def.type) {
      case "optional":
      case "readonly":
      case "default":
      case "prefault":
      case "catch":
      case "nonoptional":
        return write(def.innerType, known, direction);
      case "nullable":
        return orNull(write(def.innerType, known, direction));
      case "pipe":
        return isCustom(def.in)
          ? uncheckedShape(def.out, known, direction)
          : write(def.in, known, direction);
      case "object":
        return named(known, () => objectShape(def, known, direction));
      case "array":
        return arrayShape(schema, def.element, known, direction);
      case "record": {
        const inner = { type: types.valueOf(known.type), wire: types.valueOf(known.wire) };
        return { type: "object", additionalProperties: write(def.valueType, inner, direction) };
      }
      case "union":
        return unionShape(def, known, direction);
      default:
        return withExamples(leaf(schema), types.members(known.type));
    }
  }

  function leaf(schema: z.core.$ZodType): Json {
    const { pattern, ...rest } = leafShape(schema);
    return pattern === undefined || stated !== undefined ? rest : { ...rest, pattern };
  }

  function unionShape(def: z.core.$ZodUnionDef, known: Known, direction: Direction): Json {
    const make = (): Json =>
      anyOf(
        def.options.map((option) =>
          write(option, { ...known, type: memberFor(option, known.type, types) }, direction),
        ),
      );
    // Of a record that may also come as a string, the record has the name.
    return types.members(known.type).length > 1 ? named(known, make) : make();
  }

  function arrayShape(
    schema: z.core.$ZodType,
    element: z.core.$ZodType,
    known: Known,
    direction: Direction,
  ): Json {
    const { minItems, maxItems } = leafShape(schema);
    const inner = { type: types.element(known.type), wire: types.element(known.wire) };
    return {
      type: "array",
      items: write(element, inner, direction),
      ...(minItems !== undefined && stated === undefined && { minItems }),
      ...(maxItems !== undefined && { maxItems }),
    };
  }

  /** A record with a name of its own becomes a component. */
  function named(known: Known, make: () => Json): Json {
    const found = types.nameOf(known.type);
    if (found === undefined || found.name === "OpenRecord") return make();
    const { name, text } = found;
    const shape = { title: name, ...describe(text), ...make() };
    const other = components.get(name);
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(shape))
      throw new Error(
        `Two records are called ${name}, or one with secrets in it is both sent and returned; it needs two names.`,
      );
    components.set(name, shape);
    return { $ref: prefix + name };
  }

  function objectShape(def: z.core.$ZodObjectDef, known: Known, direction: Direction): Json {
    const fields = Object.entries(def.shape).filter(
      ([name]) => !isAbsent(types.field(known.type, name)),
    );
    const properties = fields.map(([name, schema]) => {
      const inner = { type: types.field(known.type, name), wire: types.field(known.wire, name) };
      const shape = withObservedValues(name, write(schema, inner, direction));
      const text = types.textOfField(known.type, name);
      // A record has its text where it is declared; a field that holds one may say more.
      const record = components.get(String(shape["$ref"]).slice(prefix.length));
      const says = record?.["description"] === text.description ? {} : describe(text);
      const typescript =
        withTypes && inner.type !== undefined ? { [TYPESCRIPT]: types.print(inner.type) } : {};
      return [name, { ...shape, ...rules[name], ...says, ...typescript }] as const;
    });
    const required = fields
      .filter(([name, schema]) => isRequired(schema) && (stated?.has(name) ?? true))
      .map(([name]) => name);
    const isStrict = (def.catchall?._zod.def as Def | undefined)?.type === "never";
    return {
      type: "object",
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
      // A response may have more fields than are declared, now or later.
      additionalProperties: !isStrict,
    };
  }

  /** The wire side of a codec that no schema checks: TypeScript knows it. */
  function uncheckedShape(out: z.core.$ZodType, known: Known, direction: Direction): Json {
    const def = out._zod.def as Def;
    if (def.type === "bigint")
      return anyOf([{ type: "integer" }, { type: "string", pattern: "^-?\\d+$" }]);
    if (isCustom(out)) return openObject;
    const wires = types.members(known.wire);
    if (wires.some(isText)) return anyOf(wires.map((wire) => looseShape(wire)));
    const isList = def.type === "array";
    const record = isList
      ? write(def.element, { type: types.element(known.type) }, direction)
      : write(out, { type: known.type }, direction);
    const mayBeList = isList || wires.some((wire) => types.element(wire) !== undefined);
    return mayBeList ? anyOf([{ type: "array", items: record }, record]) : record;
  }

  function looseShape(type: ts.Type): Json {
    if (isText(type)) return { type: "string" };
    return types.element(type) === undefined ? openObject : { type: "array", items: {} };
  }
}

/** What is written over a value, as the fields of a schema or a parameter that say it. */
export function describe({ description, deprecated }: Text): Json {
  return {
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated: true }),
  };
}

/** Whether a field must be there on the wire. */
export function isRequired(schema: z.core.$ZodType): boolean {
  return schema._zod.optin === undefined;
}
