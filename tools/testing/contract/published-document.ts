import type { Endpoint } from "@fieldmesh/http/internal";
import { readDocument } from "../../documents.ts";
import {
  fullValues as valuesOf,
  type FullValue,
  type JsonSchema,
} from "../../json-schema/full-value.ts";
import type { Service } from "../../../packages/sandbox/src/services.ts";

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

/** An operation of the published document. */
export interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly "x-observed"?: { readonly required?: boolean };
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const cache = new Map<string, Document>();

function documentOf(service: Service): Document {
  const { name } = service;
  const document = cache.get(name) ?? (readDocument(`openapi/${name}.json`) as unknown as Document);
  cache.set(name, document);
  return document;
}

/** Returns the operation of a row in the published document. */
export function operationOf(service: Service, row: Endpoint): Operation | undefined {
  const [method = "", route = ""] = row.route.split(" ");
  const own = shapeOf(route.split("?")[0] ?? "");
  const [, methods] =
    Object.entries(documentOf(service).paths).find(([path]) => shapeOf(path) === own) ?? [];
  return methods?.[method.toLowerCase()];
}

/** Two rows may name a parameter of the same path differently, and one path of the contract ends with a slash. */
function shapeOf(route: string): string {
  return route.replace(/\/$/, "").replaceAll(/\{\w+\}|:\w+/g, "*");
}

/** Returns values with every field of a body in the document. */
export function fullValues(service: Service, content: Content | undefined): FullValue[] {
  const resolve = (reference: string): JsonSchema => {
    const found = documentOf(service).components.schemas[reference.split("/").at(-1) ?? ""];
    if (found === undefined) throw new Error(`The document has no ${reference}`);
    return found;
  };
  const [media] = Object.values(content?.content ?? {});
  return media === undefined ? [] : valuesOf(media.schema, resolve);
}
