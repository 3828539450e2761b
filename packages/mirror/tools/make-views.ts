import type * as z from "zod/mini";
import { innerOf } from "../../core/src/schema/children.ts";
import { sensitivityOf } from "../../core/src/schema/registry.ts";
import { isSignedLink } from "../../webhook-types/src/events/fields.ts";
import { dataSchemas } from "../../webhook-types/src/events/generated/data-schemas.ts";
import { familyOf } from "../../webhook-types/src/events/pattern.ts";
import { placementFields } from "../src/placement.ts";
import { isPersonal } from "../src/split-object.ts";

/** The families that have a view. */
const VIEWS = {
  fieldmesh_subscribers: "subscriber",
  fieldmesh_sims: "sim",
  fieldmesh_subscriptions: "subscription",
};

/** What each view has of the row itself, before and after the fields. */
const BEFORE = ["tenant", "livemode", "id"];
const AFTER = ["event_id", "event_type", "created_at", "ambiguous", "deleted_at"];

const HEADER = `-- @generated from the schemas of the events by \`npm run generate -- views\`. Do not edit.
-- The views of the mirror: see the guide "Keep a mirror". Run it after 001-mirror.sql, and again after each update of the package.
`;

type Kind = "string" | "number" | "boolean" | "json";
type Schemas = Readonly<Record<string, () => z.core.$ZodType>>;
export type Database = keyof typeof columnOf;

/** Makes the files of the views, by path from the root. */
export function generateViews(): Map<string, string> {
  const databases: readonly Database[] = ["postgres", "sqlite"];
  return new Map(
    databases.map((each) => [`packages/mirror/views/${each}.sql`, HEADER + makeViews(each)]),
  );
}

/** Makes the SQL that replaces the views: one column for each field of a family that any of its events declares. */
export function makeViews(database: Database, schemas: Schemas = dataSchemas): string {
  const views = Object.entries(VIEWS).map(([view, family]) => {
    const columns = [...fieldsOf(family, schemas)].map(
      ([name, kind]) =>
        `${columnOf[database](isPersonal(`${family}.${name}`, name) ? "personal" : "state", name, kind)} AS ${name}`,
    );
    const placement = (family === "sim" ? placementFields : []).map(
      (name) => `${columnOf[database]("placement", name, "string")} AS ${name}`,
    );
    return `DROP VIEW IF EXISTS ${view};
CREATE VIEW ${view} AS SELECT
  ${[BEFORE.join(", "), ...columns, AFTER.join(", "), ...placement].join(",\n  ")}
FROM fieldmesh_mirror WHERE family = '${family}';
`;
  });
  // In one transaction, so that no query finds a view missing.
  return ["BEGIN;\n", ...views, "COMMIT;\n"].join("\n");
}

/** A value of another type than expected is NULL in PostgreSQL, so that one odd event does not break a view. */
const columnOf = {
  postgres: (column: string, name: string, kind: Kind): string => {
    const text = `${column}->>'${name}'`;
    if (kind === "string") return text;
    if (kind === "json") return `${column}->'${name}'`;
    const type = kind === "number" ? "numeric" : "boolean";
    return `CASE jsonb_typeof(${column}->'${name}') WHEN '${kind}' THEN (${text})::${type} END`;
  },
  // A boolean of the JSON is 0 or 1, and a list or an object is its JSON.
  sqlite: (column: string, name: string): string => `${column} ->> '$.${name}'`,
};

/** The fields of a family that a mirror may store, and that no column of the row is named like. */
function fieldsOf(family: string, schemas: Schemas): Map<string, Kind> {
  const fields = new Map<string, Kind>();
  for (const [type, makeData] of Object.entries(schemas)) {
    if (familyOf(type) !== family) continue;
    for (const [name, schema] of Object.entries(shapeOf(shapeOf(makeData())["object"]))) {
      if ([...BEFORE, ...AFTER].includes(name) || isNeverStored(schema)) continue;
      fields.set(name, fields.get(name) ?? kindOf(schema));
    }
  }
  return fields;
}

function shapeOf(schema: z.core.$ZodType | undefined): z.core.$ZodShape {
  const def = layersOf(schema).at(-1)?._zod.def as z.core.$ZodTypes["_zod"]["def"] | undefined;
  return def?.type === "object" ? def.shape : {};
}

/** Codes and signed links. */
function isNeverStored(schema: z.core.$ZodType): boolean {
  return layersOf(schema).some((each) => sensitivityOf(each) === "secret" || isSignedLink(each));
}

function kindOf(schema: z.core.$ZodType): Kind {
  const def = layersOf(schema).at(-1)?._zod.def as z.core.$ZodTypes["_zod"]["def"] | undefined;
  const type = def?.type === "literal" ? typeof def.values[0] : def?.type;
  // A service may have a value, although its schema says that there is none.
  if (type === "null") return "string";
  return type === "string" || type === "number" || type === "boolean" ? type : "json";
}

/** A schema, and those inside its wrappers. */
function layersOf(schema: z.core.$ZodType | undefined): z.core.$ZodType[] {
  return schema === undefined ? [] : [schema, ...layersOf(innerOf(schema))];
}
