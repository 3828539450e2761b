import {
  wholeNumber,
  checkOptionNames,
  describeValue,
  nearest,
  mistake,
} from "@fieldmesh/core/internal";
import * as consoleTables from "@fieldmesh/console-client/endpoints";
import * as ledgerTables from "@fieldmesh/ledger-client/endpoints";
import * as mapperTables from "@fieldmesh/mapper-client/endpoints";
import * as mobileTables from "@fieldmesh/mobile-client/endpoints";
import type { Tables } from "../serve/router.ts";
import type { Fault } from "../serve/fault.ts";

/** What a rule may affect: the rows of each service, and all rows of a resource. */
const PLACES = {
  console: placesOf(consoleTables),
  ledger: placesOf(ledgerTables),
  mapper: placesOf(mapperTables),
  mobile: placesOf(mobileTables),
};
type Service = keyof typeof PLACES;
const SERVICES = Object.keys(PLACES);

/** Returns what a rule may affect, by service. */
export function faultPlaces(): Readonly<Record<string, readonly string[]>> {
  return PLACES;
}

function placesOf(tables: Tables): string[] {
  return Object.entries(tables).flatMap(([resource, table]) => [
    ...Object.keys(table).map((name) => `${resource}.${name}`),
    `${resource}.*`,
  ]);
}

/** The options of each fault. */
const FIELDS: {
  readonly [Kind in Fault["kind"]]: readonly (keyof Extract<Fault, { kind: Kind }>)[];
} = {
  status: ["kind", "status", "body", "contentType", "retryAfter", "afterWork"],
  stale: ["kind", "ms"],
  reset: ["kind"],
  lost: ["kind"],
  truncate: ["kind", "bytes", "clean"],
  garbage: ["kind"],
  delay: ["kind", "ms", "virtual", "afterWork"],
};
const KINDS = Object.keys(FIELDS);
const LAST_STATUS = 599;

/** Throws a TypeError for an invalid fault. `others` are the further names that it may have. */
export function checkFault(owner: string, fault: Fault, others: readonly string[] = []): void {
  const { kind } = fault;
  if (!KINDS.includes(kind))
    throw mistake(`${owner}.kind must be ${KINDS.join(", ")}${meant(kind, KINDS)}`);
  checkOptionNames(owner, fault, [...FIELDS[kind], ...others]);
  if (kind === "status") wholeNumber(200, LAST_STATUS)(fault.status, `${owner}.status`);
  if (kind === "delay" && !(typeof fault.ms === "number" && fault.ms >= 0))
    throw mistake(`${owner}.ms must be a number of milliseconds.`);
}

/** Throws a TypeError for the name of a row or a service that does not exist. */
export function checkPlace(owner: string, on: unknown, service?: unknown): void {
  if (service !== undefined && !SERVICES.includes(service as string))
    throw mistake(
      `${owner}.service must be one of ${SERVICES.join(", ")}${meant(service, SERVICES)}`,
    );
  if (on === undefined || on === "*") return;
  const places = service === undefined ? Object.values(PLACES).flat() : PLACES[service as Service];
  if (places.includes(on as string)) return;
  const whose = service === undefined ? "" : ` of the ${service as Service} service`;
  throw mistake(
    `${owner}.on must be a row${whose}, such as ${places[0]}, or all of a resource, such as ${places.at(-1)}${meant(on, places)}`,
  );
}

/** Returns the end of a sentence about a name that does not exist. */
function meant(given: unknown, names: readonly string[]): string {
  if (typeof given !== "string") return `; it is ${describeValue(given)}.`;
  const name = nearest(given, names);
  return name === undefined ? "." : `. Did you mean "${name}"?`;
}
