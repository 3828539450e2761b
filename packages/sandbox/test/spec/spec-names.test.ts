import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { currentEventTypes, earlierEventTypes, eventTypes } from "@fieldmesh/webhook-types";
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

it("a name that no table has is in the contract", () => {
  const used = new Set(list.flatMap(({ subject, names }) => [subject, ...names]));
  expect(Object.keys(elsewhere).filter((name) => !used.has(name))).toEqual([]);
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

/** Normalizes parameters, because the contract writes them in two ways. */
function normal(route: string): string {
  return route.replaceAll(/\{(\w+)\}/g, ":$1");
}
