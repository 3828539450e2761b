import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { describe, expect, it } from "vitest";
import { responseSchema } from "@fieldmesh/http/internal";
import { currentEventTypes, earlierEventTypes, eventTypes } from "@fieldmesh/webhook-types";
import { eventSchema } from "@fieldmesh/webhook-types/parse";
import { services, type ServiceName } from "../../src/services.ts";
import {
  eventTypesNotInContract,
  routesNotInContract,
} from "../../../../tools/testing/not-in-contract.ts";
import { elsewhere } from "./elsewhere.ts";
import { DOCUMENTS, type SpecRow } from "./read-spec.ts";
import type { SampledRow } from "../../src/engine/serve/with-samples.ts";

const list = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../tools/testing/spec-names.json"), "utf8"),
) as readonly SpecRow[];

const reasons = { ...routesNotInContract, ...eventTypesNotInContract };

type Document = (typeof DOCUMENTS)[number];

/** A service that is not listed here has no published contract. */
const documentOf: Readonly<Partial<Record<ServiceName, Document>>> = {
  console: "console-and-mapper.md",
  mapper: "console-and-mapper.md",
  ledger: "ledger.md",
  mobile: "mobile-events.md",
};

function rowsOf(document: Document): SampledRow[] {
  return services
    .filter(({ name }) => documentOf[name] === document)
    .flatMap(({ tables }) => Object.values(tables).flatMap((table) => Object.values(table)));
}

describe("every route, field and event type of the contract", () => {
  it.each(DOCUMENTS)("is in the tables, or is listed with a reason: %s", (document) => {
    const endpoints = rowsOf(document).map((row) => ({
      route: normal(row.route),
      names: namesOfRow(row),
    }));
    const events = document === "mobile-events.md" ? eventTypes : [];
    const eventNames = new Map<string, string[]>(events.map((type) => [type, namesOfEvent(type)]));
    const all = new Set([
      ...endpoints.flatMap(({ names }) => names),
      ...[...eventNames.values()].flat(),
    ]);
    /** A name of a route or an event type must be in its own rows. A name of a section may be in any row. */
    const near = (subject: string): ReadonlySet<string> => {
      const own = endpoints
        .filter(({ route }) => route === normal(subject))
        .flatMap(({ names }) => names);
      const names = [...own, ...(eventNames.get(subject) ?? [])];
      return names.length > 0 ? new Set([...names, ...eventTypes]) : all;
    };
    const missing = list
      .filter((row) => row.document === document)
      .flatMap(({ section, subject, names }) =>
        [...subjectsOf(subject), ...names]
          .filter((name) => !isKnown(near(subject), name) && elsewhere[name] === undefined)
          .map((name) => `${section}, ${subject}: ${name}`),
      );
    expect(missing).toEqual([]);
  });

  it("is in the contract if it is listed with a reason", () => {
    const used = new Set(list.flatMap(({ subject, names }) => [subject, ...names]));
    expect(Object.keys(elsewhere).filter((name) => !used.has(name))).toEqual([]);
  });
});

describe("every route and event type of ours", () => {
  it("is in the contract, or has its reason in tools/testing/not-in-contract.ts", () => {
    const known = new Set(list.map(({ subject }) => normal(subject)));
    const routes = DOCUMENTS.flatMap(rowsOf).map(({ route }) => normal(route));
    const isInvented = (name: string) => !known.has(name) && reasons[name] === undefined;
    expect([...routes, ...eventTypes].filter(isInvented)).toEqual([]);
    expect(Object.keys(reasons).filter((name) => known.has(name))).toEqual([]);
  });

  it("is of the catalog that has it", () => {
    const earlier = list.filter(({ section }) => section === "Events > Earlier catalog");
    const current = list.filter(({ section }) => !section.endsWith("Earlier catalog"));
    const subjects = (rows: readonly SpecRow[]) => new Set(rows.map(({ subject }) => subject));
    const [old, now] = [subjects(earlier), subjects(current)];
    const without = (types: readonly string[]) =>
      types.filter((type) => reasons[type] === undefined);
    expect(without(earlierEventTypes).filter((type) => !old.has(type))).toEqual([]);
    expect(without(currentEventTypes).filter((type) => !now.has(type))).toEqual([]);
  });
});

/** A subject is checked if it is a name or a route, but not if it is a sentence. */
function subjectsOf(subject: string): string[] {
  return /^[a-z_.]+$/i.test(subject) || /^[A-Z]+ \//.test(subject) ? [subject] : [];
}

function isKnown(known: ReadonlySet<string>, name: string): boolean {
  if (name.includes(" /")) return known.has(normal(name));
  if (known.has(name)) return true;
  // "previous_attributes.subscription_status", "cpni.escalation": a path of fields, or the beginning of types.
  if (name.includes("."))
    return (
      name.split(".").every((part) => known.has(part)) ||
      [...known].some((each) => each.startsWith(`${name}.`))
    );
  return false;
}

/** Normalizes parameters, because the contract writes them in two ways. */
function normal(route: string): string {
  return route.replaceAll(/\{(\w+)\}/g, ":$1");
}

function namesOfRow(row: SampledRow): string[] {
  const parts = [z.object(row.path), z.object(row.query), row.body, responseSchema(row)];
  return [
    normal(row.route),
    ...row.route.split(/[^\w]/),
    ...Object.keys(row.fixed),
    ...Object.values(row.fixed).map(String),
    ...parts.flatMap((part) => (part === undefined ? [] : namesOfSchema(part))),
    ...namesIn(row.sample),
  ];
}

function namesOfEvent(type: (typeof eventTypes)[number]): string[] {
  return [type, ...namesOfSchema(eventSchema(type))];
}

/** Returns the names of fields, and the listed values of a schema. */
function namesOfSchema(schema: z.core.$ZodType): string[] {
  return namesIn(z.toJSONSchema(schema, { io: "input", unrepresentable: "any", cycles: "ref" }));
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [key, ...namesIn(child)]);
}
